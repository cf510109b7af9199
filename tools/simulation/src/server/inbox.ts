import { type EventType, parseInboxSubject, type RunAddress } from '@reins/contracts';
import type { Scheduler } from '../scheduler.ts';
import { MessageLog, type NewMessage, type PublishResult, type StoredMessage } from './log.ts';

const ACK_WAIT_MS = 5_000;
/** Like `max_ack_pending`, scaled down: a few clients reach it. */
export const MAX_ACK_PENDING = 60;

/** The consumer of a partition's inbox. */
export interface InboxReader {
  /** Delivers a message. */
  receive(message: StoredMessage, deliveries: number): void;
  /** Number of further messages that it requests; 0 when it accepts none. */
  readonly room: number;
  /** Whether it reports work in progress on the message. */
  isWorkingOn(seq: number): boolean;
  /** Its durable was deleted. */
  onDeleted(): void;
}

interface Durable {
  readonly name: string;
  readonly epoch: number;
  readonly reader: InboxReader;
  readonly deliveries: Map<number, number>;
  /** Sequences that were not delivered yet, and those that are delivered again, which come first. */
  readonly fresh: number[];
  readonly again: number[];
  /** Delivered and not acknowledged, including negatively acknowledged ones. */
  readonly outstanding: Set<number>;
}

/** A scheduled message. */
interface Schedule {
  readonly version: string | undefined;
  readonly cancel: () => void;
}

/** The inbox stream: a work queue with one durable per partition, redelivery, and scheduled messages. */
export class InboxStream {
  readonly #log: MessageLog;
  readonly #scheduler: Scheduler;
  readonly #durables = new Map<number, Durable>();
  /** Unacknowledged messages by sequence. */
  readonly waiting = new Map<number, StoredMessage>();
  readonly schedules = new Map<string, Schedule>();
  /** The scheduled messages that became due, by subject, with the time. */
  readonly due: { readonly subject: string; readonly at: number }[] = [];

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler;
    this.#log = new MessageLog(() => scheduler.now);
  }

  /** Every message that was ever stored, in order. */
  get messages(): readonly StoredMessage[] {
    return this.#log.messages;
  }

  publish(message: NewMessage): PublishResult {
    const result = this.#log.publish(message);
    if (result.duplicate) return result;
    this.waiting.set(result.message.seq, result.message);
    const durable = this.#durables.get(partitionOfSubject(message.subject));
    durable?.fresh.push(result.message.seq);
    if (durable) this.#serve(durable);
    return result;
  }

  /** Replaces the scheduled message of the subject. */
  schedule(subject: string, due: number, message: NewMessage): void {
    this.schedules.get(subject)?.cancel();
    const cancel = this.#scheduler.after(due - this.#scheduler.now, () => {
      this.schedules.delete(subject);
      this.due.push({ subject, at: this.#scheduler.now });
      // The server publishes it, without deduplication.
      this.publish({ ...message, id: `${message.id}@${this.#scheduler.now}` });
      return false;
    });
    this.schedules.set(subject, { version: message.version?.toString(), cancel });
  }

  /** @param subjects a filter that ends with `>`. @returns false when nothing matched */
  cancel(subjects: string): boolean {
    const found = [...this.schedules].filter(([subject]) => subject.startsWith(subjects.slice(0, -1)));
    for (const [subject, { cancel }] of found) {
      cancel();
      this.schedules.delete(subject);
    }
    return found.length > 0;
  }

  /** Whether a message of this type to the run is not acknowledged. */
  has(type: EventType, { workspaceId, runId }: RunAddress): boolean {
    const suffix = `.${type}.${workspaceId}.${runId}`;
    return this.waiting.values().some(({ subject }) => subject.endsWith(suffix));
  }

  /** The time of a partition's oldest unacknowledged message. */
  oldestOf(partition: number): Date | undefined {
    for (const { storedAt, subject } of this.waiting.values())
      if (partitionOfSubject(subject) === partition) return new Date(storedAt);
    return undefined;
  }

  durableOf(partition: number): Pick<Durable, 'name' | 'epoch'> | undefined {
    return this.#durables.get(partition);
  }

  remove(partition: number): void {
    const durable = this.#durables.get(partition);
    this.#durables.delete(partition);
    durable?.reader.onDeleted();
  }

  /** @returns the last sequence of the stream; undefined when the partition has another durable */
  create(partition: number, epoch: number, reader: InboxReader): { readonly lastSeq: number } | undefined {
    if (this.#durables.has(partition)) return undefined;
    const own = [...this.waiting.values()].filter(({ subject }) => partitionOfSubject(subject) === partition);
    const durable: Durable = {
      name: `p${partition}-e${epoch}`,
      epoch,
      reader,
      deliveries: new Map(),
      fresh: own.map(({ seq }) => seq),
      again: [],
      outstanding: new Set(),
    };
    this.#durables.set(partition, durable);
    this.#serve(durable);
    return { lastSeq: this.#log.messages.length };
  }

  /** Acknowledges a message. Ignored for a deleted durable. */
  acknowledge(name: string, partition: number, seq: number): void {
    const durable = this.#durables.get(partition);
    if (durable?.name !== name) return;
    this.waiting.delete(seq);
    durable.outstanding.delete(seq);
    this.#serve(durable);
  }

  /** Negative acknowledgement: the message is redelivered before messages that were not delivered yet. */
  nak(name: string, partition: number, seq: number): void {
    const durable = this.#durables.get(partition);
    if (durable?.name !== name || !this.waiting.has(seq)) return;
    durable.again.push(seq);
    this.#serve(durable);
  }

  /** The reader requests messages. */
  pull(name: string, partition: number): void {
    const durable = this.#durables.get(partition);
    if (durable?.name === name) this.#serve(durable);
  }

  #serve(durable: Durable): void {
    while (durable.reader.room > 0) {
      const seq =
        durable.again.shift() ?? (durable.outstanding.size < MAX_ACK_PENDING ? durable.fresh.shift() : undefined);
      if (seq === undefined) return;
      const message = this.waiting.get(seq);
      if (message) this.#deliver(durable, message);
    }
  }

  #deliver(durable: Durable, message: StoredMessage): void {
    const deliveries = (durable.deliveries.get(message.seq) ?? 0) + 1;
    durable.deliveries.set(message.seq, deliveries);
    durable.outstanding.add(message.seq);
    durable.reader.receive(message, deliveries);
    this.#redeliverUnlessDone(durable, message, deliveries);
  }

  #redeliverUnlessDone(durable: Durable, message: StoredMessage, deliveries: number): void {
    this.#scheduler.after(ACK_WAIT_MS, () => {
      const isCurrent = [...this.#durables.values()].includes(durable) && this.waiting.has(message.seq);
      if (!isCurrent || durable.deliveries.get(message.seq) !== deliveries || durable.again.includes(message.seq))
        return false;
      if (durable.reader.isWorkingOn(message.seq)) this.#redeliverUnlessDone(durable, message, deliveries);
      else this.nak(durable.name, partitionOfSubject(message.subject), message.seq);
      return false;
    });
  }
}

export const partitionOfSubject = (subject: string): number => Number(subject.split('.')[1]);

/** The queue key of a message: its run, as in the bus. */
export const queueKeyOf = (subject: string): string => parseInboxSubject(subject)?.runId ?? subject;
