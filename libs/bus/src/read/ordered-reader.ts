import { DeliverPolicy, type StreamInfo } from '@nats-io/jetstream';
import type { Bus } from '../connection/bus.ts';
import { BusMessage } from '../consume/message.ts';
import type { StopReason } from '../consume/pull-client.ts';
import { EphemeralReader, type Start } from './ephemeral-reader.ts';
import {
  firstSeqAfter,
  isOverwritten,
  leaderOf,
  type MessageSource,
  positionOf,
  type StreamPosition,
} from './stream-position.ts';

export interface ReaderOptions {
  readonly stream: string;
  /**
   * The position to continue after, or the first sequence: 1 = all kept messages, `'new'` = only messages from now on.
   */
  readonly from: StreamPosition | number | 'new';
  readonly filters?: readonly string[];
  /** Number of messages in flight or not yet handled. */
  readonly prefetch?: number;
  /** Called in stream order. A returned promise delays the next message; an error ends the reader. */
  readonly onMessage: (message: BusMessage) => void | Promise<void>;
  readonly onGap?: (gap: ReaderGap) => void;
}

/** The stream no longer has the messages that the reader was to read next. */
export interface ReaderGap {
  /**
   * `trimmed`: removed by the stream's limits; `rewound`: the stream was rolled back, and may have grown
   * again since; `replaced`: it is a different stream with the same name.
   */
  readonly reason: 'trimmed' | 'rewound' | 'replaced';
  readonly expectedSeq: number;
  /** Where the reader continues. If it is not `trimmed`: the first message stored later than the one that was read last. */
  readonly nextSeq: number;
}

export interface Reader {
  /** Sequence of the last handled message. */
  readonly position: number;
  /** Creation time of the stream. */
  readonly created: string;
  /** Resolves when the reader has ended; rejects with the error of `onMessage`. */
  readonly closed: Promise<StopReason>;
  /** Stops the reader and waits for the message being handled. Do not await it inside `onMessage`. */
  stop(): Promise<void>;
}

const PREFETCH = 1_000;

/** Reads a stream in order, without end and across reconnects, each message once. */
export async function orderedReader(bus: Bus, options: ReaderOptions): Promise<Reader> {
  const position = new ReaderPosition(options.from, leaderOf(bus, options.stream), options.onGap);
  const { signal } = new AbortController();
  const reader = await EphemeralReader.start(bus, {
    stream: options.stream,
    filters: options.filters ?? ['>'],
    prefetch: options.prefetch ?? PREFETCH,
    startAt: (stream) => position.startAt(stream),
    onMessage: (raw, delivery) => {
      const message = new BusMessage(raw, delivery, signal);
      const handled = options.onMessage(message);
      if (!handled) return position.advanceTo(message);
      return handled.then(() => position.advanceTo(message));
    },
  });
  return {
    get position() {
      return position.position;
    },
    get created() {
      return position.created;
    },
    closed: reader.closed,
    stop: () => reader.stop(),
  };
}

/** The state of a stream when a reader starts. */
type StreamState = Pick<StreamInfo, 'created'> & {
  readonly state: Pick<StreamInfo['state'], 'first_seq' | 'last_seq'>;
};

/**
 * Tracks the position of a reader. Each time the reader starts, it detects that the stream no longer has the next
 * message, or has another one in its place.
 */
export class ReaderPosition {
  readonly #source: MessageSource;
  readonly #onGap: ReaderOptions['onGap'];
  #next: number | 'new';
  /** The message before the next one, as far as it is known. */
  #last: StreamPosition | BusMessage | undefined;
  #created: string | undefined;

  constructor(from: ReaderOptions['from'], source: MessageSource, onGap: ReaderOptions['onGap']) {
    const position = typeof from === 'object' ? from : undefined;
    this.#next = typeof from === 'object' ? from.seq + 1 : from;
    this.#last = position;
    this.#created = position?.created;
    this.#source = source;
    this.#onGap = onGap;
  }

  get position(): number {
    return this.#next === 'new' ? 0 : this.#next - 1;
  }

  /** Creation time of the stream; empty before the first start. */
  get created(): string {
    return this.#created ?? '';
  }

  /** Keeps the message: its headers are decoded only when the reader starts again. */
  advanceTo(message: BusMessage): void {
    this.#next = message.seq + 1;
    this.#last = message;
  }

  /** @throws ReinsError `bus_unavailable` */
  async startAt({ created, state }: StreamState): Promise<Start> {
    if (this.#next === 'new') await this.#startAtEnd(created, state.last_seq);
    else if (this.#created !== undefined && this.#created !== created)
      this.#jump('replaced', await this.#firstUnread(state, 1));
    else if (await this.#isSetBack(state.last_seq))
      this.#jump('rewound', await this.#firstUnread(state, state.last_seq + 1));
    else if (this.#next < state.first_seq && this.position > 0) this.#jump('trimmed', state.first_seq);
    this.#created = created;
    return { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: this.#next as number };
  }

  async #startAtEnd(created: string, lastSeq: number): Promise<void> {
    this.#next = lastSeq + 1;
    const last = lastSeq > 0 ? await this.#source.atOrAfter(lastSeq) : undefined;
    if (last?.seq === lastSeq) this.#last = positionOf(created, last);
  }

  /** Without a message to compare, a stream that was rolled back and has grown again is not recognised. */
  async #isSetBack(lastSeq: number): Promise<boolean> {
    const last = this.#lastPosition();
    return this.position > lastSeq || (last !== undefined && isOverwritten(this.#source, last));
  }

  /** @param otherwise the result if the time of the last message is not known */
  #firstUnread(state: StreamState['state'], otherwise: number): Promise<number> | number {
    const { time } = this.#lastPosition() ?? {};
    return time === undefined ? otherwise : firstSeqAfter(this.#source, time, state);
  }

  #lastPosition(): StreamPosition | undefined {
    return this.#last instanceof BusMessage ? positionOf(this.created, this.#last) : this.#last;
  }

  #jump(reason: ReaderGap['reason'], nextSeq: number): void {
    const expectedSeq = this.#next as number;
    this.#next = nextSeq;
    this.#last = undefined;
    this.#onGap?.({ reason, expectedSeq, nextSeq });
  }
}
