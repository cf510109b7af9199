import type { Limits } from '@reins/contracts';

/** Two, so that parents and children are sometimes in the same partition. */
export const PARTITIONS = 2;

/** Short limits, so that a few virtual minutes are enough. */
export const LIMITS: { readonly service: Limits; readonly stage: Limits } = {
  service: { startWithinMs: 10_000, runForMs: 20_000, maxAttempts: 3, onUnknown: 'retry' },
  stage: { startWithinMs: 20_000, prepareForMs: 30_000, runForMs: 60_000, maxAttempts: 3, onUnknown: 'retry' },
};

/** Longer than a burst takes, even if two machines disagree about the time by minutes. */
export const STAGE_QUEUE_FOR_MS = 1_200_000;
