import type { JsonObject, JsonValue, Problem } from '@reins/contracts';
import { listOf, numberOf, objectOf, textOf } from '../../execution/json.ts';
import { modelFailure, shortened } from '../../execution/model-failure.ts';
import { codeOfStatus } from '../../execution/model-status.ts';
import type { AdapterEventWriter, ToolOutcome } from '../../signals/signal-writer.ts';
import type { UsageSum } from '../../signals/usage.ts';

/** How Claude Code words an answer that is not complete, and one that it does not understand. */
const CUT = /closed|terminated|incomplete|aborted|reset|premature|stream ended/i;
const INVALID = /json|parse|malformed|unexpected|invalid|empty/i;

/** The end of a turn: the answer, or why there is none. */
export type TurnEnd = { readonly text: string } | { readonly problem: Problem };

/** Reads the messages of a session: emits signals, and sums up the usage. */
export class ClaudeTranscript {
  readonly #signals: AdapterEventWriter;
  readonly #usage: UsageSum;
  readonly #nameOf: (tool: string) => string;

  constructor(signals: AdapterEventWriter, usage: UsageSum, nameOf: (tool: string) => string) {
    this.#signals = signals;
    this.#usage = usage;
    this.#nameOf = nameOf;
  }

  /** Reads a message. Returns the end of the turn, if it is that. */
  message(message: JsonObject): TurnEnd | undefined {
    switch (message.type) {
      case 'stream_event':
        this.#delta(objectOf(objectOf(message.event).delta));
        return undefined;
      case 'assistant':
        for (const block of blocksOf(message)) if (block.type === 'tool_use') this.#called(block);
        return undefined;
      case 'user':
        for (const block of blocksOf(message)) if (block.type === 'tool_result') this.#returned(block);
        return undefined;
      case 'result':
        return this.#ended(message);
      default:
        return undefined;
    }
  }

  #delta({ type, text, thinking }: JsonObject): void {
    if (type === 'text_delta') this.#signals.text(textOf(text));
    else if (type === 'thinking_delta') this.#signals.thinking(textOf(thinking));
  }

  #called({ id, name, input }: JsonObject): void {
    this.#signals.toolStart(textOf(id), this.#nameOf(textOf(name)), input ?? null);
  }

  #returned({ tool_use_id, content, is_error }: JsonObject): void {
    const text = contentText(content);
    const outcome: ToolOutcome =
      is_error === true ? { output: null, error: text || 'failed' } : { output: text, error: null };
    this.#signals.toolResult(textOf(tool_use_id), outcome);
  }

  /** `subtype` is `success` after a model call that failed, too. */
  #ended(message: JsonObject): TurnEnd {
    const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens, output_tokens } = objectOf(
      message.usage,
    );
    this.#usage.add({
      inputTokens: numberOf(input_tokens) + numberOf(cache_creation_input_tokens) + numberOf(cache_read_input_tokens),
      cachedInputTokens: numberOf(cache_read_input_tokens),
      outputTokens: numberOf(output_tokens),
    });
    const text = textOf(message.result);
    if (message.is_error !== true && message.subtype === 'success') return { text };
    return { problem: problemOf(message, text) };
  }
}

const blocksOf = ({ message }: JsonObject): JsonObject[] => {
  const { content } = objectOf(message);
  return listOf(content).map(objectOf);
};

function contentText(content: JsonValue | undefined): string {
  if (typeof content === 'string') return content;
  const blocks = listOf(content).map(objectOf);
  return blocks.map(({ type, text }) => (type === 'text' ? textOf(text) : `(${textOf(type)})`)).join('\n');
}

function problemOf({ subtype, api_error_status: status, errors }: JsonObject, text: string): Problem {
  if (typeof status === 'number' && status >= 400)
    return { code: codeOfStatus(status), message: modelFailure(status, text) };
  const why =
    text ||
    listOf(errors)
      .map((one) => textOf(one))
      .join('; ') ||
    textOf(subtype);
  const code = CUT.test(why) ? 'model_answer_cut' : INVALID.test(why) ? 'model_answer_invalid' : 'model_unavailable';
  return { code, message: `the model call failed: ${shortened(why)}` };
}
