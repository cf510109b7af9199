import type { Problem } from '@reins/contracts';
import type { BusMessage } from './message.ts';
import type { RetryPolicy } from './retry.ts';

export interface ConsumeOptions {
  readonly stream: string;
  readonly durable: string;
  /** Messages handled concurrently, which is also the number requested from the server. */
  readonly concurrency: number;
  /** The message is acknowledged when the handler returns, and retried when it throws. */
  readonly handler: (message: BusMessage) => void | Promise<void>;
  /**
   * Messages with the same key are handled one after the other, in stream order. A failing message delays the later
   * ones of its key.
   */
  readonly orderBy?: (message: BusMessage) => string;
  /**
   * Only with `orderBy`: stores a message elsewhere, after which it is acknowledged. It has no place in the queue of its
   * key, or its handling keeps failing with this retryable problem. Without it, waiting messages take slots, too.
   */
  readonly hold?: (message: BusMessage, problem: Problem | undefined) => Promise<void>;
  /** Called when no message of this key is left in memory. */
  readonly onIdle?: (key: string) => void;
  readonly retry?: Partial<RetryPolicy>;
  /** Called before a message goes to DEAD. A consumer that dead-letters a live effect also answers `failed`. */
  readonly onDead?: (message: BusMessage, problem: Problem) => void | Promise<void>;
  /** Messages up to this sequence may have crashed an earlier process, whatever their delivery count is. */
  readonly suspectUntil?: number;
  /** Name under which crashes are counted; by default that of the durable. */
  readonly crashName?: string;
}
