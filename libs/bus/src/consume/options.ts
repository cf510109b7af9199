import type { Problem } from '@reins/contracts';
import type { BusMessage } from './message.ts';
import type { RetryPolicy } from './retry.ts';

export interface ConsumeOptions {
  readonly stream: string;
  readonly durable: string;
  /** Messages taken at a time; also what is asked of the server. */
  readonly concurrency: number;
  /** The message is acknowledged when it returns, tried again when it throws. */
  readonly handler: (message: BusMessage) => void | Promise<void>;
  /**
   * Messages with the same key are handled one after the other, in stream order; a failing one holds up those behind
   * it.
   */
  readonly orderBy?: (message: BusMessage) => string;
  /** Whether a message that failed like this waits for one behind it: it is handed out again later, and loses its place. */
  readonly shouldRequeue?: (error: unknown) => boolean;
  readonly retry?: Partial<RetryPolicy>;
  /** Called before a message goes to DEAD: whoever dead-letters a live effect also answers `failed`. */
  readonly onDead?: (message: BusMessage, problem: Problem) => void | Promise<void>;
  /** Deliveries up to this sequence may have ended an earlier process, whatever their delivery count says. */
  readonly suspectUntil?: number;
  /** Under this name crashes are counted; the durable's by default. */
  readonly crashName?: string;
}
