import { ReinsError } from '@reins/contracts';

/** How long the server knows an id again. */
export const DUPLICATE_WINDOW_MS = 120_000;

export interface StoredMessage {
  readonly seq: number;
  readonly subject: string;
  readonly id: string;
  readonly data: Uint8Array;
  readonly storedAt: number;
  readonly version: number | undefined;
}

export interface NewMessage {
  readonly subject: string;
  readonly id: string;
  readonly data: Uint8Array;
  readonly version?: number | undefined;
  /** 0 = only where the subject has no message. */
  readonly expectedLast?: number | undefined;
}

/** A message that the stream has, and whether it had it before. */
export interface Taken {
  readonly message: StoredMessage;
  readonly duplicate: boolean;
}

/** A stream as a server has it: one order, ids known again for a while, a last sequence that may be expected. */
export class MessageLog {
  readonly messages: StoredMessage[] = [];
  readonly #now: () => number;
  readonly #ids = new Map<string, StoredMessage>();
  readonly #last = new Map<string, StoredMessage>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** @throws ReinsError `bus_sequence_taken` */
  publish({ subject, id, data, version, expectedLast }: NewMessage): Taken {
    const known = this.#ids.get(id);
    if (known && this.#now() - known.storedAt < DUPLICATE_WINDOW_MS) return { message: known, duplicate: true };
    const last = this.#last.get(subject);
    if (expectedLast !== undefined && (last?.seq ?? 0) !== expectedLast) {
      // The rival may be the message itself.
      if (last?.id === id) return { message: last, duplicate: true };
      throw new ReinsError({ code: 'bus_sequence_taken', message: 'the subject already has a message', path: subject });
    }
    const message = { seq: this.messages.length + 1, subject, id, data, storedAt: this.#now(), version };
    this.messages.push(message);
    this.#ids.set(id, message);
    this.#last.set(subject, message);
    return { message, duplicate: false };
  }
}
