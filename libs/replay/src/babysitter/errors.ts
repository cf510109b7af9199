/** The error classes that processes written for babysitter refer to by name. */

/**
 * Base of the errors with which babysitter unwinds a process that has not failed. Reins throws nothing for a pending
 * effect.
 */
abstract class IntrinsicError extends Error {
  readonly isIntrinsic = true;

  constructor(message: string) {
    super(message);
    this.name = new.target.name;
  }
}

/**
 * Babysitter throws it when an effect is requested for the first time. In Reins the promise stays pending; the class
 * exists for `instanceof`.
 */
export class EffectRequestedError extends IntrinsicError {}
/** Babysitter throws it when an effect has no result yet. In Reins the promise stays pending. */
export class EffectPendingError extends IntrinsicError {}
/** Babysitter throws it when several effects have no result yet. In Reins the promise stays pending. */
export class ParallelPendingError extends IntrinsicError {}

/** The effect was cancelled. */
export class EffectCancelledError extends IntrinsicError {
  readonly effectId: string;
  readonly reason: string;

  constructor(effectId: string, reason: string) {
    super(`Effect ${effectId} cancelled: ${reason}`);
    this.effectId = effectId;
    this.reason = reason;
  }
}

/** A process throws it to fail its run permanently. */
export class RunFailedError extends Error {
  readonly details?: unknown;

  constructor(message: string, details?: unknown) {
    super(message);
    this.name = 'RunFailedError';
    if (details !== undefined) this.details = details;
  }
}

/** Whether a process that catches all errors must throw this one again. */
export function isIntrinsic(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'isIntrinsic' in error && error.isIntrinsic === true;
}
