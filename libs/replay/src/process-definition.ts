import type { JsonObject, JsonValue } from '@reins/contracts';
import type { ProcessContext } from './process-context.ts';

/**
 * The deterministic function that drives a run. Deterministic means: the same answers in the same order lead to the same
 * requests in the same order; so it asks only its context for the time, for randomness and for anything outside of itself.
 */
export interface ProcessDefinition {
  /** `pipeline`, `direct-tool`, `workflow`, or `<path>#<export>`. */
  readonly id: string;
  /** Identity of its code: of a built-in process its version, of an authored one the hash of its module graph. */
  readonly codeHash: string;
  /** What it returns is the run's output. No value counts as `null`. */
  run(ctx: ProcessContext, inputs: JsonValue): Promise<JsonValue | undefined>;
  /**
   * What an error that it does not catch means. `fail` (the default): the run has failed. `operator`: the run waits for a person
   * who corrects the process, and fails when nobody does in time; errors of effects fail the run all the same.
   */
  readonly onError?: 'fail' | 'operator';
  /** An output with which the process halts its run, for those that know no other way. `warning` is kept in the journal. */
  readonly haltOf?: (output: JsonValue) => ReturnedHalt | undefined;
}

export interface ReturnedHalt {
  readonly reason: string;
  readonly payload: JsonObject;
  readonly warning: string;
}

/** How long a run waits for an operator before it fails. */
export const OPERATOR_GRACE_MS = 24 * 60 * 60 * 1000;
