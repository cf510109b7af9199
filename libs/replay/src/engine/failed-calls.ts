/**
 * What is known about failed effects, next to their errors. Not in the errors: the process can read those, and a recorded
 * run must see the same when it is replayed.
 */
export interface FailedCall {
  /** An error that the call created: its stack shows where the process called the effect. */
  readonly site: Error | undefined;
  /** What to do about the failure. */
  readonly hint: string | undefined;
}

const failedCalls = new WeakMap<object, FailedCall>();

export function recordFailedCall(error: object, call: FailedCall): void {
  failedCalls.set(error, call);
}

/** The call whose failure this error is; undefined for other values. */
export const failedCallOf = (error: unknown): FailedCall | undefined =>
  typeof error === 'object' && error !== null ? failedCalls.get(error) : undefined;
