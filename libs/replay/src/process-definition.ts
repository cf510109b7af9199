import type { JsonObject, JsonValue } from '@reins/contracts';
import type { ProcessContext } from './process-context.ts';

/**
 * The deterministic function that drives a run: the same answers in the same order must lead to the same requests in
 * the same order. So it may use only its context for time, randomness and everything outside of itself.
 */
export interface ProcessDefinition {
  /** `pipeline`, `direct-tool`, `workflow`, or `<path>#<export>`. */
  readonly id: string;
  /** Identifies its code: the version of a built-in process, or the hash of the module graph of an authored one. */
  readonly codeHash: string;
  /** Returns the output of the run. `undefined` counts as `null`. */
  run(ctx: ProcessContext, inputs: JsonValue): Promise<JsonValue | undefined>;
  /**
   * How to treat an uncaught error. `fail` (the default): the run fails. `operator`: the run waits for an operator to
   * fix the process, and fails if that does not happen in time. Errors of effects always fail the run.
   */
  readonly onError?: 'fail' | 'operator';
  /**
   * The frames of the author's code in a thrown error, one per line, innermost first. Absent if they would differ
   * between machines.
   */
  readonly framesOf?: (error: unknown) => readonly string[];
  /** Detects outputs with which an older process halts its run. `warning` is logged in the journal. */
  readonly haltOf?: (output: JsonValue) => ReturnedHalt | undefined;
  /**
   * Decides whether the process may request an effect, however it does that. Default: it may request all. Recorded
   * requests are not refused.
   */
  readonly admit?: (request: RequestedEffect) => Admission;
}

/** An effect that is about to be requested. */
export interface RequestedEffect {
  readonly kind: string;
  readonly request: JsonObject;
  readonly label?: string | undefined;
  /** The run id that the process sees. */
  readonly runId: string;
}

export interface Admission {
  /** To be logged in the journal. */
  readonly log?: { readonly label: string; readonly message: JsonObject };
  /** Set when the effect is refused: what the call of the process throws. */
  readonly refused?: Error;
}

export interface ReturnedHalt {
  readonly reason: string;
  readonly payload: JsonObject;
  readonly warning: string;
}

/** How long a run waits for an operator before it fails. */
export const OPERATOR_GRACE_MS = 24 * 60 * 60 * 1000;
