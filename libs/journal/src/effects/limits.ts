import type { Limits } from '@reins/contracts';

const MINUTE = 60_000;

/** The longest practical wait, in milliseconds: a year. */
export const NO_LIMIT_MS = 365 * 24 * 60 * MINUTE;

/** The default for work of services: 10 minutes in the queue, an hour to run, one retry. */
export const WORKER_LIMITS: Limits = {
  maxAttempts: 2,
  onUnknown: 'retry',
  runForMs: 60 * MINUTE,
  startWithinMs: 10 * MINUTE,
};

/** The default for waits for people, time or outside work: no practical limit, and no retry. */
export const WAIT_LIMITS: Limits = {
  maxAttempts: 1,
  onUnknown: 'fail',
  runForMs: NO_LIMIT_MS,
  startWithinMs: NO_LIMIT_MS,
};
