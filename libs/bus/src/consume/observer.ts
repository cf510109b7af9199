import type { BusMessage } from './message.ts';

/** What became of a message: handled, to be tried again, or moved to DEAD. */
export type HandledOutcome = 'done' | 'failed' | 'dead';

export interface HandledMessage {
  readonly message: BusMessage;
  readonly outcome: HandledOutcome;
  /** When its handler began, in milliseconds of `performance.now()`. */
  readonly startedAt: number;
  /** Why it failed. */
  readonly error?: unknown;
}

/** Sees every message that a handler of this connection is given: for metrics, traces and logs. It must not throw. */
export interface BusObserver {
  /** Does what a message asks for, in surroundings that what is logged meanwhile can be told from. */
  runInContext<T>(message: BusMessage, work: () => T): T;
  handled(what: HandledMessage): void;
}
