import type { AdapterEvent, JsonValue } from '@reins/contracts';
import type { SignalSink } from '../contract.ts';

/** How a tool call ended, as far as it was seen. */
export interface ToolOutcome {
  readonly output: JsonValue;
  readonly error: JsonValue;
}

const UNKNOWN: ToolOutcome = { output: null, error: null };

/**
 * Writes an executor's signals in the catalogue's form: the hand-off first, every result for a call that was started, and at the
 * end a result of unknown outcome for each call that none was seen of.
 */
export class SignalWriter {
  readonly #adapter: string;
  readonly #sink: SignalSink;
  readonly #open = new Map<string, string>();

  constructor(adapter: string, sink: SignalSink) {
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

  /** Nothing more will be seen. */
  close(): void {
    for (const callId of [...this.#open.keys()]) this.toolResult(callId, UNKNOWN);
  }

  #emit(event: Omit<AdapterEvent, 'adapter'>): void {
    this.#sink({ adapter: this.#adapter, ...event });
  }
}
