import { DeliverPolicy, type StreamInfo } from '@nats-io/jetstream';
import type { Bus } from '../connection/bus.ts';
import { BusMessage } from '../consume/message.ts';
import type { StopReason } from '../consume/pull-client.ts';
import { EphemeralReader, type Start } from './ephemeral-reader.ts';

export interface ReaderOptions {
  readonly stream: string;
  /** First sequence to deliver; 1 = all kept messages, `'new'` = only messages from now on. */
  readonly startSeq: number | 'new';
  readonly filters?: readonly string[];
  /** Number of messages in flight or not yet handled. */
  readonly prefetch?: number;
  /** Called in stream order. A returned promise delays the next message; an error ends the reader. */
  readonly onMessage: (message: BusMessage) => void | Promise<void>;
  readonly onGap?: (gap: ReaderGap) => void;
}

/** A gap of messages that no longer exist. The reader continues after it. */
export interface ReaderGap {
  /**
   * `trimmed`: removed by the stream's limits; `rewound`: the stream was reset to an earlier state; `replaced`: it is a
   * different stream with the same name.
   */
  readonly reason: 'trimmed' | 'rewound' | 'replaced';
  readonly expectedSeq: number;
  readonly nextSeq: number;
}

export interface Reader {
  /** Sequence of the last handled message. */
  readonly position: number;
  /** Resolves when the reader has ended; rejects with the error of `onMessage`. */
  readonly closed: Promise<StopReason>;
  /** Stops the reader and waits for the message being handled. Do not await it inside `onMessage`. */
  stop(): Promise<void>;
}

const PREFETCH = 1_000;

/** Reads a stream from a sequence, without end and across reconnects, each message once and in order. */
export async function orderedReader(bus: Bus, options: ReaderOptions): Promise<Reader> {
  const position = new ReaderPosition(options.startSeq, options.onGap);
  const { signal } = new AbortController();
  const reader = await EphemeralReader.start(bus, {
    stream: options.stream,
    filters: options.filters ?? ['>'],
    prefetch: options.prefetch ?? PREFETCH,
    startAt: (stream) => position.startAt(stream),
    onMessage: (message, delivery) => {
      const handled = options.onMessage(new BusMessage(message, delivery, signal));
      if (!handled) return position.advanceTo(delivery.streamSeq);
      return handled.then(() => position.advanceTo(delivery.streamSeq));
    },
  });
  return {
    get position() {
      return position.position;
    },
    closed: reader.closed,
    stop: () => reader.stop(),
  };
}

/** Tracks the position of a reader, and detects that the stream no longer has the next message. */
export class ReaderPosition {
  readonly #onGap: ReaderOptions['onGap'];
  #next: number | 'new';
  #created: string | undefined;

  constructor(start: number | 'new', onGap: ReaderOptions['onGap']) {
    this.#next = start;
    this.#onGap = onGap;
  }

  get position(): number {
    return this.#next === 'new' ? 0 : this.#next - 1;
  }

  advanceTo(seq: number): void {
    this.#next = seq + 1;
  }

  startAt({ created, state }: Pick<StreamInfo, 'created'> & { state: { first_seq: number; last_seq: number } }): Start {
    if (this.#next === 'new') this.#next = state.last_seq + 1;
    else if (this.#created !== undefined && this.#created !== created) this.#jump('replaced', 1);
    else if (this.#next > state.last_seq + 1) this.#jump('rewound', state.last_seq + 1);
    else if (this.#next < state.first_seq && this.position > 0) this.#jump('trimmed', state.first_seq);
    this.#created = created;
    return { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: this.#next as number };
  }

  #jump(reason: ReaderGap['reason'], nextSeq: number): void {
    const expectedSeq = this.#next as number;
    this.#next = nextSeq;
    this.#onGap?.({ reason, expectedSeq, nextSeq });
  }
}
