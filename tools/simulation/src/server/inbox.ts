import { parseInboxSubject } from '@reins/contracts';
import type { Scheduler } from '../scheduler.ts';
import { MessageLog, type NewMessage, type StoredMessage, type Taken } from './log.ts';

const ACK_WAIT_MS = 5_000;

/** Whoever consumes a partition: a process of the control bus. */
export interface InboxReader {
  /** The message is on its way to it. */
  receive(message: StoredMessage, deliveries: number): void;
  /** Whether it asks for messages. */
  readonly isTaking: boolean;
  /** Whether it says of a message that it works on it. */
  isWorkingOn(seq: number): boolean;
  /** Its durable is gone. */
  gone(): void;
}

interface Durable {
  readonly name: string;
  readonly epoch: number;
  readonly reader: InboxReader;
  readonly deliveries: Map<number, number>;
}

/** A timer in the stream. */
interface Schedule {
  readonly version: string | undefined;
  readonly cancel: () => void;
}

/** The inbox: a work queue with one durable for each partition, redelivery, and scheduled messages. */
export class InboxStream {
  readonly #log: MessageLog;
  readonly #scheduler: Scheduler;
  readonly #durables = new Map<number, Durable>();
  /** Not acknowledged, by sequence. */
  readonly waiting = new Map<number, StoredMessage>();
  readonly schedules = new Map<string, Schedule>();

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler;
    this.#log = new MessageLog(() => scheduler.now);
  }

  publish(message: NewMessage): Taken {
    const taken = this.#log.publish(message);
    if (taken.duplicate) return taken;
    this.waiting.set(taken.message.seq, taken.message);
    const durable = this.#durables.get(partitionOfSubject(message.subject));
    if (durable) this.#deliver(durable, taken.message);
    return taken;
  }

  /** In place of what was scheduled on the subject before. */
  schedule(subject: string, due: number, message: NewMessage): void {
    this.schedules.get(subject)?.cancel();
    const cancel = this.#scheduler.after(due - this.#scheduler.now, () => {
      this.schedules.delete(subject);
      // The server itself publishes it: no id is looked for.
      this.publish({ ...message, id: `${message.id}@${this.#scheduler.now}` });
      return false;
    });
    this.schedules.set(subject, { version: message.version?.toString(), cancel });
  }

  /** @param subjects all that begin so, `>` at their end. False = there was none */
  cancel(subjects: string): boolean {
    const found = [...this.schedules].filter(([subject]) => subject.startsWith(subjects.slice(0, -1)));
    for (const [subject, { cancel }] of found) {
      cancel();
      this.schedules.delete(subject);
    }
    return found.length > 0;
  }

  /** When the oldest message of a partition came that is still there. */
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
    durable?.reader.gone();
  }

  /** False when another durable stands in the way. @returns the sequence of the last message by then */
  create(partition: number, epoch: number, reader: InboxReader): { readonly lastSeq: number } | undefined {
    if (this.#durables.has(partition)) return undefined;
    const durable = { name: `p${partition}-e${epoch}`, epoch, reader, deliveries: new Map<number, number>() };
    this.#durables.set(partition, durable);
    for (const message of this.waiting.values())
      if (partitionOfSubject(message.subject) === partition) this.#deliver(durable, message);
    return { lastSeq: this.#log.messages.length };
  }

  /** Done with; word of a durable that is gone counts for nothing. */
  acknowledge(name: string, partition: number, seq: number): void {
    if (this.#durables.get(partition)?.name === name) this.waiting.delete(seq);
  }

  /** Handed back: it comes again at once. */
  handBack(name: string, partition: number, seq: number): void {
    const durable = this.#durables.get(partition);
    const message = this.waiting.get(seq);
    if (durable?.name === name && message) this.#deliver(durable, message);
  }

  #deliver(durable: Durable, message: StoredMessage): void {
    if (!durable.reader.isTaking) return;
    const deliveries = (durable.deliveries.get(message.seq) ?? 0) + 1;
    durable.deliveries.set(message.seq, deliveries);
    durable.reader.receive(message, deliveries);
    this.#redeliverUnlessDone(durable, message, deliveries);
  }

  #redeliverUnlessDone(durable: Durable, message: StoredMessage, deliveries: number): void {
    this.#scheduler.after(ACK_WAIT_MS, () => {
      const isCurrent = [...this.#durables.values()].includes(durable) && this.waiting.has(message.seq);
      if (!isCurrent || durable.deliveries.get(message.seq) !== deliveries) return false;
      if (durable.reader.isWorkingOn(message.seq)) this.#redeliverUnlessDone(durable, message, deliveries);
      else this.#deliver(durable, message);
      return false;
    });
  }
}

export const partitionOfSubject = (subject: string): number => Number(subject.split('.')[1]);

/** The lane of a message: its run, as the bus has it. */
export const laneOf = (subject: string): string => parseInboxSubject(subject)?.runId ?? subject;
