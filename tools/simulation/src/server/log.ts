import { ReinsError } from '@reins/contracts';

/** How long the server deduplicates an id. */
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
  /** 0: publish only if the subject has no message. */
  readonly expectedLast?: number | undefined;
}

/** The stored message, and whether it was a duplicate. */
export interface PublishResult {
  readonly message: StoredMessage;
  readonly duplicate: boolean;
}

/** A stream: ordered messages, deduplication by id, and expected last sequences. */
export class MessageLog {
  readonly messages: StoredMessage[] = [];
  readonly #now: () => number;
  readonly #ids = new Map<string, StoredMessage>();
  readonly #last = new Map<string, StoredMessage>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** @throws ReinsError `bus_sequence_taken` */
  publish({ subject, id, data, version, expectedLast }: NewMessage): PublishResult {
    const known = this.#ids.get(id);
    if (known && this.#now() - known.storedAt < DUPLICATE_WINDOW_MS) return { message: known, duplicate: true };
    const last = this.#last.get(subject);
    if (expectedLast !== undefined && (last?.seq ?? 0) !== expectedLast) {
      // The existing message may be the same one.
      if (last?.id === id) return { message: last, duplicate: true };
      throw new ReinsError({ code: 'bus_sequence_taken', message: 'the subject already has a message', path: subject });
    }
    const message = { seq: this.messages.length + 1, subject, id, data, storedAt: this.#now(), version };
    this.messages.push(message);
    this.#ids.set(id, message);
    this.#last.set(subject, message);
    return { message, duplicate: false };
  }

  /** Forgets the last messages. @param share how much is kept, from 0 to 1 */
  setBack(share: number): void {
    this.messages.length = Math.ceil(this.messages.length * share);
    this.#ids.clear();
    this.#last.clear();
    for (const message of this.messages) {
      this.#ids.set(message.id, message);
      this.#last.set(message.subject, message);
    }
  }
}
