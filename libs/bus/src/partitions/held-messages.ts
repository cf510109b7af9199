import {
  HEADERS,
  heldSubject,
  type Problem,
  parseHeldSubject,
  type RunAddress,
  traceHeadersOf,
} from '@reins/contracts';
import { API, isApiError } from '../connection/api-errors.ts';
import type { Bus } from '../connection/bus.ts';
import type { BusMessage } from '../consume/message.ts';
import { deadLetter } from '../dead/dead-letter.ts';
import { decodeEventHeaders, type EventHeaders } from '../publish/headers.ts';
import type { OrderedPublisher } from '../publish/ordered-publisher.ts';
import { readSubject } from '../read/read-subject.ts';
import type { StoredMessage } from '../read/stored-message.ts';

/** An inbox message that waits outside of the inbox. */
export interface HeldMessage {
  /** Sequence of the held copy. */
  readonly heldSeq: number;
  /** Sequence, subject and event headers of the original message. */
  readonly seq: number;
  readonly subject: string;
  readonly event: EventHeaders;
  readonly data: Uint8Array;
}

const STREAM = 'INBOX';
/** Concurrent calls to remove messages. */
const REMOVED_AT_ONCE = 128;
/** Headers of a held copy, in addition to those of the message. */
const HELD = { id: 'reins-held-id', seq: 'reins-held-seq', subject: 'reins-held-subject' } as const;

/**
 * The messages that the owner of a run cannot handle yet, such as commands to a request that waits for its session. They
 * are copies on `held.<p>.<ws>.<run>`, which no consumer delivers, so they do not delay other runs.
 */
export class HeldMessages {
  readonly #bus: Bus;
  readonly #publisher: Pick<OrderedPublisher, 'publishAll'>;
  readonly #partitions: number;

  constructor(bus: Bus, publisher: Pick<OrderedPublisher, 'publishAll'>, partitions: number) {
    this.#bus = bus;
    this.#publisher = publisher;
    this.#partitions = partitions;
  }

  /** Stores a message. Resolves when it is durable. A repeat within the duplicate window has no effect. */
  async add(run: RunAddress, message: Pick<BusMessage, 'subject' | 'data' | 'seq' | 'event'>): Promise<void> {
    const { data, event, seq, subject } = message;
    const extra = { [HELD.id]: event.id, [HELD.seq]: String(seq), [HELD.subject]: subject };
    const headers = { ...event, id: `held.${seq}` };
    await this.#publisher.publishAll([{ subject: heldSubject(run, this.#partitions), data, headers, extra }]);
  }

  /** Reads the messages of a run, in the order of the inbox. */
  async read(run: RunAddress): Promise<HeldMessage[]> {
    const found: HeldMessage[] = [];
    for await (const message of readSubject(this.#bus, STREAM, heldSubject(run, this.#partitions)))
      found.push(toHeldMessage(message));
    return found.sort((a, b) => a.seq - b.seq);
  }

  /** Removes messages that were handled. */
  async remove(messages: readonly HeldMessage[]): Promise<void> {
    for (let from = 0; from < messages.length; from += REMOVED_AT_ONCE)
      await Promise.all(messages.slice(from, from + REMOVED_AT_ONCE).map(({ heldSeq }) => this.#remove(heldSeq)));
  }

  /** The runs of a partition that have held messages. */
  runs(partition: number): Promise<RunAddress[]> {
    return runsWithHeldMessages(this.#bus, partition);
  }

  /** Copies a message to DEAD. */
  async deadLetter({ data, event, seq, subject }: HeldMessage, problem: Problem): Promise<void> {
    const headers = new Map<string, string>([
      [HEADERS.id, event.id],
      [HEADERS.type, event.type],
      [HEADERS.source, event.source],
      [HEADERS.time, event.time],
      [HEADERS.specVersion, '1.0'],
      ...Object.entries(traceHeadersOf(event)),
    ]);
    const message = { subject, data, seq, deliveries: 1, msgId: event.id, headers };
    await deadLetter(this.#bus, { stream: STREAM, consumer: 'held' }, message, problem);
  }

  async #remove(seq: number): Promise<void> {
    try {
      await this.#bus.jsm.streams.deleteMessage(STREAM, seq, false);
    } catch (error) {
      if (!isApiError(error, API.sequenceNotFound, API.messageDeleteFailed)) throw error;
    }
  }
}

/** The runs of a partition that have held messages. */
export async function runsWithHeldMessages(bus: Bus, partition: number): Promise<RunAddress[]> {
  const { state } = await bus.jsm.streams.info(STREAM, { subjects_filter: `held.${partition}.>` });
  return Object.keys(state.subjects ?? {}).flatMap((subject) => {
    const found = parseHeldSubject(subject);
    return found ? [{ workspaceId: found.workspaceId, runId: found.runId }] : [];
  });
}

/** The number of held messages of a run. */
export async function countHeldMessages(bus: Bus, run: RunAddress, partitions: number): Promise<number> {
  const subject = heldSubject(run, partitions);
  const { state } = await bus.jsm.streams.info(STREAM, { subjects_filter: subject });
  return state.subjects?.[subject] ?? 0;
}

function toHeldMessage(message: StoredMessage): HeldMessage {
  const event = decodeEventHeaders((name) => message.header(name));
  return {
    heldSeq: message.seq,
    seq: Number(message.header(HELD.seq)),
    subject: message.header(HELD.subject) ?? '',
    event: { ...event, id: message.header(HELD.id) ?? event.id },
    data: message.data,
  };
}
