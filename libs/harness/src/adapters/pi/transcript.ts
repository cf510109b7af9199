import type { JsonObject, JsonValue } from '@reins/contracts';
import { listOf, numberOf, objectOf, textOf } from '../../execution/json.ts';
import type { AdapterEventWriter } from '../../signals/signal-writer.ts';
import type { UsageSum } from '../../signals/usage.ts';

/** How the model's last message ended. */
export interface LastMessage {
  /** `stop` is the only success. */
  readonly stopReason: string;
  readonly text: string;
  readonly errorMessage: string;
}

/**
 * Reads pi's session events: emits signals, sums up the usage, and keeps the last message of the assistant. A tool
 * result without a boolean `isError` has an unknown outcome.
 */
export class PiTranscript {
  readonly #signals: AdapterEventWriter;
  readonly #usage: UsageSum;
  #last: LastMessage | undefined;
  #question: string | undefined;

  constructor(signals: AdapterEventWriter, usage: UsageSum) {
    this.#signals = signals;
    this.#usage = usage;
  }

  /** Undefined until the assistant has completed a message. */
  get last(): LastMessage | undefined {
    return this.#last;
  }

  /** The question of a tool that asked the user. */
  get question(): string | undefined {
    return this.#question;
  }

  event(event: JsonObject): void {
    const signals = this.#signals;
    const callId = textOf(event.toolCallId);
    switch (event.type) {
      case 'message_update':
        this.#delta(objectOf(event.assistantMessageEvent));
        break;
      case 'message_end':
        this.#messageEnd(objectOf(event.message));
        break;
      case 'tool_execution_start':
        signals.toolStart(callId, textOf(event.toolName), event.args ?? null);
        break;
      case 'tool_execution_end':
        signals.toolResult(callId, outcomeOf(event));
        this.#question ??= questionIn(event);
        break;
      case 'compaction_start':
        signals.compactionStart(textOf(event.reason));
        break;
      case 'compaction_end':
        signals.compactionEnd(objectOf(event.result).summary ?? null, event.aborted === true);
        break;
    }
  }

  #delta(update: JsonObject): void {
    if (update.type === 'text_delta') this.#signals.text(textOf(update.delta));
    if (update.type === 'thinking_delta') this.#signals.thinking(textOf(update.delta));
  }

  #messageEnd(message: JsonObject): void {
    if (message.role !== 'assistant') return;
    this.#last = {
      stopReason: textOf(message.stopReason),
      text: textBlocks(message.content),
      errorMessage: textOf(message.errorMessage),
    };
    const usage = objectOf(message.usage);
    const cached = numberOf(usage.cacheRead);
    this.#usage.add({
      inputTokens: numberOf(usage.input) + cached + numberOf(usage.cacheWrite),
      cachedInputTokens: cached,
      outputTokens: numberOf(usage.output),
      costUsd: numberOf(objectOf(usage.cost).total),
    });
  }
}

function questionIn({ result }: JsonObject): string | undefined {
  return textOf(objectOf(objectOf(result).details).question) || undefined;
}

function outcomeOf({ result, isError }: JsonObject): { output: JsonValue; error: JsonValue } {
  const content = objectOf(result).content;
  const value = textBlocks(content);
  if (isError === false) return { output: value, error: null };
  return { output: null, error: isError === true ? value : null };
}

function textBlocks(content: JsonValue | undefined): string {
  if (typeof content === 'string') return content;
  return listOf(content)
    .map(objectOf)
    .filter((block) => block.type === 'text')
    .map((block) => textOf(block.text))
    .join('');
}
