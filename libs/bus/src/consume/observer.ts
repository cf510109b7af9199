import type { BusMessage } from './message.ts';

/** Outcome of a delivery: handled, failed (will be retried), or moved to DEAD. */
export type HandledOutcome = 'done' | 'failed' | 'dead';

export interface HandledMessage {
  readonly message: BusMessage;
  readonly outcome: HandledOutcome;
  /** Start of the handler, by `performance.now()`. */
  readonly startedAt: number;
  /** The error of a delivery that was not `done`. */
  readonly error?: unknown;
}

/** Observes every message that this connection passes to a handler, for metrics, traces and logs. It must not throw. */
export interface BusObserver {
  /** Runs `work` in an async context from which log lines take the message fields. */
  runInContext<T>(message: BusMessage, work: () => T): T;
  handled(message: HandledMessage): void;
}
