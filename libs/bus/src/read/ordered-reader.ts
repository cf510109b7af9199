import { DeliverPolicy, type StreamInfo } from '@nats-io/jetstream';
import type { Bus } from '../connection/bus.ts';
import { BusMessage } from '../consume/message.ts';
import type { StopReason } from '../consume/pull-client.ts';
import { EphemeralReader, type Start } from './ephemeral-reader.ts';

export interface ReaderOptions {
  readonly stream: string;
  /** First sequence to deliver; 1 = everything that is kept, `'new'` = from now on. */
  readonly startSeq: number | 'new';
  readonly filters?: readonly string[];
  /** Messages that may be on their way or not yet handled. */
  readonly prefetch?: number;
  /** In stream order. A returned promise holds back the ones after it; an error ends the reader. */
  readonly onMessage: (message: BusMessage) => void | Promise<void>;
  readonly onGap?: (gap: ReaderGap) => void;
}

/** Messages that will never come. The reader goes on behind the gap. */
export interface ReaderGap {
  /**
   * The stream's limits removed them · the stream was set back to an earlier state · it is another stream of the same
   * name.
   */
  readonly reason: 'trimmed' | 'rewound' | 'replaced';
  readonly expectedSeq: number;
  readonly nextSeq: number;
}

export interface Reader {
  /** Sequence of the last message handled. */
  readonly position: number;
  /** Resolves when it has ended; rejects with the error of `onMessage`. */
  readonly closed: Promise<StopReason>;
  /** Waits for the message that is being handled; not to be awaited inside of `onMessage`. */
  stop(): Promise<void>;
}

const PREFETCH = 1_000;

/** Reads a stream from a sequence on, for ever, over reconnects, each message once and in order. */
export async function orderedReader(bus: Bus, options: ReaderOptions): Promise<Reader> {
  const place = new ReaderPosition(options.startSeq, options.onGap);
  const { signal } = new AbortController();
  const reader = await EphemeralReader.start(bus, {
    stream: options.stream,
    filters: options.filters ?? ['>'],
    prefetch: options.prefetch ?? PREFETCH,
    startAt: (stream) => place.startAt(stream),
    onMessage: (message, delivery) => {
      const handled = options.onMessage(new BusMessage(message, delivery, signal));
      if (!handled) return place.passed(delivery.streamSeq);
      return handled.then(() => place.passed(delivery.streamSeq));
    },
  });
  return {
    get position() {
      return place.position;
    },
    closed: reader.closed,
    stop: () => reader.stop(),
  };
}

/** Where a reader is, and whether the stream still has what comes next. */
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

  passed(seq: number): void {
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
