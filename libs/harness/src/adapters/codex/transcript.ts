import type { JsonObject, JsonValue } from '@reins/contracts';
import { listOf, numberOf, objectOf, textOf } from '../../execution/json.ts';
import type { AdapterEventWriter, ToolOutcome } from '../../signals/signal-writer.ts';
import type { UsageSum } from '../../signals/usage.ts';
import { questionOf } from '../../tools/question.ts';
import { scriptOf } from './shell-word.ts';

const UNKNOWN: ToolOutcome = { output: null, error: null };

/** Reads the items of a thread: emits signals, sums up the usage, and keeps the last message of the assistant. */
export class CodexTranscript {
  readonly #signals: AdapterEventWriter;
  readonly #usage: UsageSum;
  readonly #refusals = new Map<string, string>();
  readonly #items = new Map<string, JsonObject>();
  #message: string | undefined;
  #question: string | undefined;

  constructor(signals: AdapterEventWriter, usage: UsageSum) {
    this.#signals = signals;
    this.#usage = usage;
  }

  /** The last complete message; undefined until there is one. */
  get message(): string | undefined {
    return this.#message;
  }

  /** The question of a tool that asked the user. */
  get question(): string | undefined {
    return this.#question;
  }

  /** A call that has started; empty for another id. */
  item(id: string): JsonObject {
    return this.#items.get(id) ?? {};
  }

  /** Keeps why a call was refused, for its result. */
  refused(id: string, reason: string): void {
    this.#refusals.set(id, reason);
  }

  notified(method: string, params: JsonObject): void {
    switch (method) {
      case 'item/agentMessage/delta':
        this.#signals.text(textOf(params.delta));
        break;
      case 'item/reasoning/summaryTextDelta':
      case 'item/reasoning/textDelta':
        this.#signals.thinking(textOf(params.delta));
        break;
      case 'item/started':
        this.#started(objectOf(params.item));
        break;
      case 'item/completed':
        this.#completed(objectOf(params.item));
        break;
      case 'thread/tokenUsage/updated':
        this.#addUsage(objectOf(objectOf(params.tokenUsage).last));
        break;
    }
  }

  #started(item: JsonObject): void {
    const id = textOf(item.id);
    const call = callOf(item);
    if (call) {
      this.#items.set(id, item);
      this.#signals.toolStart(id, call.tool, call.args);
    } else if (item.type === 'contextCompaction') this.#signals.compactionStart('context');
  }

  #completed(item: JsonObject): void {
    const id = textOf(item.id);
    if (item.type === 'agentMessage') this.#message = textOf(item.text);
    else if (item.type === 'contextCompaction') this.#signals.compactionEnd(null, false);
    else if (callOf(item)) {
      if (!this.#items.has(id)) this.#started(item);
      this.#signals.toolResult(id, this.#outcomeOf(id, item));
      if (item.type === 'mcpToolCall') this.#question ??= questionOf({ _meta: objectOf(objectOf(item.result)._meta) });
    }
  }

  #outcomeOf(id: string, item: JsonObject): ToolOutcome {
    const refusal = this.#refusals.get(id);
    if (refusal !== undefined) return { output: null, error: refusal };
    const text = outputOf(item);
    if (item.status === 'completed') return { output: text, error: null };
    if (item.status === 'failed' || item.status === 'declined')
      return { output: null, error: text || String(item.status) };
    return UNKNOWN;
  }

  #addUsage(last: JsonObject): void {
    this.#usage.add({
      inputTokens: numberOf(last.inputTokens),
      cachedInputTokens: numberOf(last.cachedInputTokens),
      outputTokens: numberOf(last.outputTokens),
    });
  }
}

/** The tool and the arguments of an item; undefined for an item that is not a call. */
function callOf(item: JsonObject): { readonly tool: string; readonly args: JsonValue } | undefined {
  switch (item.type) {
    case 'commandExecution':
      return { tool: 'exec_command', args: { command: scriptOf(textOf(item.command)) } };
    case 'fileChange':
      return { tool: 'apply_patch', args: { changes: item.changes ?? [] } };
    case 'mcpToolCall':
      return { tool: textOf(item.tool), args: item.arguments ?? null };
    default:
      return undefined;
  }
}

function outputOf(item: JsonObject): string {
  if (item.type === 'commandExecution') return commandOutput(item);
  if (item.type !== 'mcpToolCall') return '';
  const failure = textOf(objectOf(item.error).message);
  const blocks = listOf(objectOf(item.result).content).map(objectOf);
  return (
    failure ||
    blocks.map((block) => (block.type === 'text' ? textOf(block.text) : `(${textOf(block.type)})`)).join('\n')
  );
}

function commandOutput({ aggregatedOutput, exitCode, status }: JsonObject): string {
  const output = textOf(aggregatedOutput);
  return status === 'failed' && typeof exitCode === 'number' ? `${output}\n(exit code ${exitCode})`.trim() : output;
}
