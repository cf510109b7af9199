import type { Limits } from '@reins/contracts';

const MINUTE = 60_000;

/** The longest practical wait, in milliseconds: a year. */
export const NO_LIMIT_MS = 365 * 24 * 60 * MINUTE;

/** The longest duration that a process may give: a hundred years. Adding it to any time gives a valid time. */
export const MAX_DURATION_MS = 100 * NO_LIMIT_MS;

type Retries = Pick<Limits, 'maxAttempts' | 'onUnknown'>;

/** How often work is tried by default. The settings `limits.stage…` have the defaults of stages. */
export const RETRIES = {
  /** Plans and preparations of a built-in process have no external side effects, so an unknown outcome is retried. */
  service: { maxAttempts: 3, onUnknown: 'retry' },
  /** Work of services that a workspace process requests. */
  worker: { maxAttempts: 2, onUnknown: 'retry' },
  /** A function of the process. */
  step: { maxAttempts: 3, onUnknown: 'retry' },
  /** Work that must not be done twice, and waits. */
  once: { maxAttempts: 1, onUnknown: 'fail' },
} as const satisfies Record<string, Retries>;

/** The default for work of services: 10 minutes in the queue, an hour to run, one retry. */
export const WORKER_LIMITS: Limits = {
  ...RETRIES.worker,
  runForMs: 60 * MINUTE,
  startWithinMs: 10 * MINUTE,
};

/** The default for waits for people, time or outside work: no practical limit, and no retry. */
export const WAIT_LIMITS: Limits = {
  ...RETRIES.once,
  runForMs: NO_LIMIT_MS,
  startWithinMs: NO_LIMIT_MS,
};
