import type { JsonObject } from '@reins/contracts';
import { numberOf, objectOf, textOf } from '../../execution/json.ts';
import type { AdapterEventWriter, ToolOutcome } from '../../signals/signal-writer.ts';
import type { UsageSum } from '../../signals/usage.ts';

/** Reads the parts of a session: emits signals, sums up the usage, and keeps the last message of the assistant. */
export class OpencodeTranscript {
  readonly #signals: AdapterEventWriter;
  readonly #usage: UsageSum;
  readonly #nameOf: (tool: string) => string;
  /** The types of the parts that have started. */
  readonly #types = new Map<string, string>();
  readonly #calls = new Map<string, 'started' | 'ended'>();
  readonly #failures = new Set<string>();
  /** The texts of the last message, by the id of the part. */
  readonly #texts = new Map<string, string>();
  #messageId = '';

  constructor(signals: AdapterEventWriter, usage: UsageSum, nameOf: (tool: string) => string) {
    this.#signals = signals;
    this.#usage = usage;
    this.#nameOf = nameOf;
  }

  /** The texts of the last message of the assistant; undefined until there is one. */
  get message(): string | undefined {
    return this.#texts.size === 0 ? undefined : [...this.#texts.values()].join('');
  }

  /** The tool of a call reported a failure. */
  failed(callId: string): void {
    this.#failures.add(callId);
  }

  delta({ partID, field, delta }: JsonObject): void {
    if (field !== 'text') return;
    const type = this.#types.get(textOf(partID));
    if (type === 'reasoning') this.#signals.thinking(textOf(delta));
    else if (type === 'text') this.#signals.text(textOf(delta));
  }

  part(part: JsonObject): void {
    const [id, type] = [textOf(part.id), textOf(part.type)];
    this.#types.set(id, type);
    if (type === 'step-start') this.#messageStarted(textOf(part.messageID));
    else if (type === 'text' && part.messageID === this.#messageId) this.#texts.set(id, textOf(part.text));
    else if (type === 'tool') this.#tool(part);
    else if (type === 'step-finish') this.#addUsage(objectOf(part.tokens));
  }

  /** Only messages of the assistant have steps. A message that is tried again has several. */
  #messageStarted(messageId: string): void {
    this.#messageId = messageId;
    this.#texts.clear();
  }

  #tool(part: JsonObject): void {
    const callId = textOf(part.callID);
    const state = objectOf(part.state);
    if (state.status === 'pending' || this.#calls.get(callId) === 'ended') return;
    if (!this.#calls.has(callId)) {
      this.#calls.set(callId, 'started');
      this.#signals.toolStart(callId, this.#nameOf(textOf(part.tool)), state.input ?? null);
    }
    if (state.status === 'running') return;
    this.#calls.set(callId, 'ended');
    this.#signals.toolResult(callId, this.#outcomeOf(callId, state));
  }

  #outcomeOf(callId: string, state: JsonObject): ToolOutcome {
    const [output, error] = [textOf(state.output), textOf(state.error)];
    if (state.status === 'error') return { output: null, error: error || 'failed' };
    const { exit } = objectOf(state.metadata);
    if (typeof exit === 'number' && exit !== 0) return { output: null, error: `${output}\n(exit code ${exit})`.trim() };
    return this.#failures.has(callId) ? { output: null, error: output || 'failed' } : { output, error: null };
  }

  #addUsage({ input, output, reasoning, cache }: JsonObject): void {
    const { read, write } = objectOf(cache);
    this.#usage.add({
      inputTokens: numberOf(input) + numberOf(read) + numberOf(write),
      cachedInputTokens: numberOf(read),
      outputTokens: numberOf(output) + numberOf(reasoning),
    });
  }
}
