import type { AdapterEvent, JsonValue } from '@reins/contracts';
import type { AdapterEventSink } from '../contract.ts';

/** The outcome of a tool call. Both fields are null when it is unknown. */
export interface ToolOutcome {
  readonly output: JsonValue;
  readonly error: JsonValue;
}

const UNKNOWN: ToolOutcome = { output: null, error: null };

/**
 * Writes the signals of an executor as catalogue events. Ignores a tool result without a started call. When closed,
 * emits a result with an unknown outcome for each call that has none.
 */
export class AdapterEventWriter {
  readonly #adapter: string;
  readonly #sink: AdapterEventSink;
  readonly #open = new Map<string, string>();

  constructor(adapter: string, sink: AdapterEventSink) {
    this.#adapter = adapter;
    this.#sink = sink;
  }

  handoff(modelRef: string, tools: readonly string[]): void {
    this.#emit({ phase: 'agent.handoff', modelRef, tools, subagents: [] });
  }

  text(text: string): void {
    if (text !== '') this.#emit({ phase: 'agent.output.delta', text });
  }

  thinking(text: string): void {
    if (text !== '') this.#emit({ phase: 'agent.thinking.delta', text });
  }

  toolStart(callId: string, toolId: string, args: JsonValue): void {
    this.#open.set(callId, toolId);
    this.#emit({ phase: 'agent.tool.start', toolId, callId, args });
  }

  toolResult(callId: string, outcome: ToolOutcome): void {
    const toolId = this.#open.get(callId);
    if (toolId === undefined) return;
    this.#open.delete(callId);
    this.#emit({ phase: 'agent.tool.result', toolId, callId, ...outcome });
  }

  compactionStart(reason: string): void {
    this.#emit({ phase: 'agent.compaction.start', reason });
  }

  compactionEnd(result: JsonValue, aborted: boolean): void {
    this.#emit({ phase: 'agent.compaction.end', result, aborted });
  }

  /** Ends the signals, and completes calls that have no result. */
  close(): void {
    for (const callId of [...this.#open.keys()]) this.toolResult(callId, UNKNOWN);
  }

  #emit(event: Omit<AdapterEvent, 'adapter'>): void {
    this.#sink({ adapter: this.#adapter, ...event });
  }
}
