/** The errors that processes written for babysitter know by name. */

/** Base of what there unwinds a process and is no failure of it. Here nothing is thrown for an effect that waits. */
abstract class IntrinsicError extends Error {
  readonly isIntrinsic = true;

  constructor(message: string) {
    super(message);
    this.name = new.target.name;
  }
}

/** Thrown there when an effect was asked for the first time. Here the promise waits; the class remains for `instanceof`. */
export class EffectRequestedError extends IntrinsicError {}
/** Thrown there when an effect still has no result. Here the promise waits. */
export class EffectPendingError extends IntrinsicError {}
/** Thrown there when several have none. Here the promise waits. */
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

/** Thrown by a process, it fails the run for good. */
export class RunFailedError extends Error {
  readonly details?: unknown;

  constructor(message: string, details?: unknown) {
    super(message);
    this.name = 'RunFailedError';
    if (details !== undefined) this.details = details;
  }
}

/** What a process must throw on when it catches everything. */
export function isIntrinsic(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'isIntrinsic' in error && error.isIntrinsic === true;
}
