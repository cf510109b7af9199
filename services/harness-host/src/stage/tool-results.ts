import { type AdapterEvent, CHECKS, type JsonValue, type Problem, type ToolResultRef } from '@reins/contracts';

/** The maximum number of tool calls that a stage lists. */
const MAX_RESULTS = 20;
/** The maximum length of names and ids, which come from models. */
const MAX_CHARACTERS = 100;

/** References to the results of the tool calls of one stage, for stages with another conversation. */
export class ToolResults {
  #results: readonly ToolResultRef[] = [];
  #omitted = 0;

  /** Continues the list of a stage that was suspended. Invalid entries are dropped: executors can change the file. */
  restore(state: JsonValue | undefined): void {
    const stored = Array.isArray(state) ? state : [];
    this.#results = stored.slice(-MAX_RESULTS).flatMap((value) => {
      const problems: Problem[] = [];
      CHECKS.ToolResultRef(value, '', problems);
      return problems.length === 0 ? [boundedRef(value as unknown as ToolResultRef)] : [];
    });
  }

  /** @param seq the number of the signal */
  add({ phase, callId = '', toolId = '', output = null, error }: AdapterEvent, seq: number): void {
    if (phase !== 'agent.tool.result') return;
    const failed = error !== undefined && error !== null;
    const bytes = Buffer.byteLength(JSON.stringify(failed ? error : output));
    const result = boundedRef({ callId, toolId, status: failed ? 'failed' : 'completed', bytes, seq });
    const results = [...this.#results, result];
    this.#omitted += Math.max(0, results.length - MAX_RESULTS);
    this.#results = results.slice(-MAX_RESULTS);
  }

  /** The newest results, oldest first. */
  get results(): readonly ToolResultRef[] {
    return this.#results;
  }

  /** How many older results are not listed. */
  get omitted(): number {
    return this.#omitted;
  }
}

const boundedRef = ({ callId, toolId, status, bytes, seq }: ToolResultRef): ToolResultRef => ({
  callId: callId.slice(0, MAX_CHARACTERS),
  toolId: toolId.slice(0, MAX_CHARACTERS),
  ...{ status, bytes, seq },
});
