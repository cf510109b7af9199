import { classifyFailure, DEFAULT_RETRY, type Lease, type StopReason } from '@reins/bus';
import { isReinsError, type Problem, ReinsError } from '@reins/contracts';
import type { Inbox, InboxConsumerOptions, InboxMessage } from '@reins/control-bus/core';
import { type InboxReader, queueKeyOf } from '../server/inbox.ts';
import type { StoredMessage } from '../server/log.ts';
import type { Server } from '../server/server.ts';
import type { Machine } from './machine.ts';

/** With the first, unmarked crash this makes three. */
const MAX_MARKED_CRASHES = 2;
const DEAD_LETTER_RETRY_MS = 5_000;
const GRACE_MS = 10_000;
const BEHIND_OTHERS_MS = 1_000;
/** Messages handled concurrently, scaled down: a few clients fill them. */
const SLOTS = 8;

interface Task {
  readonly message: StoredMessage;
  readonly deliveries: number;
  started: boolean;
  /** For a suspected poison message: clears the suspicion. */
  clearPoisonSuspicion?: () => Promise<void>;
}

/**
 * Stands in for `Consumption` of `@reins/bus`: the owner's inbox of one partition. Messages of a run are handled in
 * order and retried in place. They are dead-lettered after too many failures or crashes.
 */
export class SimulatedInbox implements InboxReader, Inbox {
  readonly #machine: Machine;
  readonly #server: Server;
  readonly #options: InboxConsumerOptions;
  readonly #durable: string;
  readonly #tasks = new Map<number, Task>();
  readonly #queues = new Map<string, Task[]>();
  readonly #failures = new Map<number, number>();
  readonly #ended = Promise.withResolvers<StopReason>();
  #suspects: Promise<unknown> = Promise.resolve();
  #suspectUntil = 0;
  #inTransit = 0;
  #paused = false;
  #abandoned = false;
  #drained: (() => void) | undefined;

  private constructor(machine: Machine, server: Server, options: InboxConsumerOptions) {
    this.#machine = machine;
    this.#server = server;
    this.#options = options;
    this.#durable = `p${options.lease.partition}-e${options.lease.epoch}`;
  }

  /** Like `consumeInbox` of `@reins/bus`: removes durables of earlier epochs and creates ours. @throws ReinsError `bus_lease_lost` */
  static async take(machine: Machine, server: Server, options: InboxConsumerOptions): Promise<SimulatedInbox> {
    const { lease, leases } = options;
    const inbox = new SimulatedInbox(machine, server, options);
    for (;;) {
      if (!(await leases.verify(lease))) throw leaseLost(lease);
      const previous = await machine.call('list durables', () => server.inbox.durableOf(lease.partition));
      if (previous && previous.epoch > lease.epoch) throw leaseLost(lease);
      if (previous && previous.epoch < lease.epoch) {
        await machine.call('delete durable', () => {
          if (server.inbox.durableOf(lease.partition)?.name === previous.name) server.inbox.remove(lease.partition);
        });
      }
      const created = await machine.call('create durable', () => {
        const existing = server.inbox.durableOf(lease.partition);
        if (existing?.epoch === lease.epoch) return { lastSeq: 0 };
        return server.inbox.create(lease.partition, lease.epoch, inbox);
      });
      if (!created) continue;
      inbox.#suspectUntil = previous ? created.lastSeq : 0;
      if (lease.signal.aborted) inbox.abandon('stopped');
      else lease.signal.addEventListener('abort', () => inbox.abandon('stopped'), { once: true });
      return inbox;
    }
  }

  get closed(): Promise<StopReason> {
    return this.#ended.promise;
  }

  receive(message: StoredMessage, deliveries: number): void {
    const { faults, random, scheduler } = this.#machine;
    if (random.chance(faults.undelivered)) return;
    this.#inTransit += 1;
    scheduler.after(this.#machine.latency(), () =>
      this.#machine.deliver(() => {
        this.#inTransit -= 1;
        this.#take(message, deliveries);
      }),
    );
  }

  get room(): number {
    return this.#machine.alive && !this.#paused ? SLOTS - this.#tasks.size - this.#inTransit : 0;
  }

  isWorkingOn(seq: number): boolean {
    return this.#machine.alive && !this.#machine.isFrozen && this.#tasks.has(seq);
  }

  onDeleted(): void {
    this.#machine.after(this.#machine.random.between(1, 3_000), () => this.abandon('consumer_gone'));
  }

  pause(): void {
    if (this.#paused) return;
    this.#paused = true;
    for (const task of [...this.#tasks.values()]) if (!task.started) this.#nak(task);
  }

  async stop({ graceMs = GRACE_MS }: { readonly graceMs?: number } = {}): Promise<void> {
    this.pause();
    if (this.#tasks.size > 0) {
      const drained = Promise.withResolvers<void>();
      this.#drained = drained.resolve;
      this.#machine.after(graceMs, drained.resolve);
      await drained.promise;
    }
    this.abandon('stopped');
  }

  /** Stops without acknowledging anything. */
  abandon(reason: StopReason): void {
    this.#paused = true;
    this.#abandoned = true;
    this.#tasks.clear();
    this.#drained?.();
    this.#ended.resolve(reason);
  }

  #take(message: StoredMessage, deliveries: number): void {
    if (this.#abandoned || this.#tasks.has(message.seq)) return;
    const task: Task = { message, deliveries, started: false };
    if (this.#paused) return void this.#nak(task);
    this.#tasks.set(message.seq, task);
    const queue = this.#queues.get(queueKeyOf(message.subject));
    if (queue) queue.push(task);
    else {
      this.#queues.set(queueKeyOf(message.subject), []);
      this.#start(task);
    }
  }

  #start(task: Task): void {
    const { seq } = task.message;
    if (!this.#isCurrent(task)) return;
    const isSuspect = !this.#failures.has(seq) && (task.deliveries > 1 || seq <= this.#suspectUntil);
    if (!isSuspect) return void this.#run(task);
    this.#suspects = this.#suspects.then(() => this.#runSuspect(task));
  }

  /** Runs suspected messages one at a time, each after a crash mark is stored. */
  async #runSuspect(task: Task): Promise<void> {
    const { seq } = task.message;
    const { name } = this.#machine;
    const marks = this.#server.crashMarks;
    const crashes = await this.#machine
      .call('mark', () => {
        const { crashes: before = 0, owner } = marks.get(seq) ?? {};
        const others = owner === name ? before - 1 : before;
        if (others < MAX_MARKED_CRASHES) marks.set(seq, { crashes: others + 1, owner: name });
        return others;
      })
      .catch(() => 0);
    if (!this.#isCurrent(task)) return;
    if (crashes >= MAX_MARKED_CRASHES) {
      task.started = true;
      await this.#deadLetter(task, {
        code: 'delivery_crashed',
        message: 'the process crashed every time it handled this message',
      });
      return;
    }
    task.clearPoisonSuspicion = () => this.#machine.call('unmark', () => void marks.delete(seq)).catch(() => {});
    await this.#run(task);
    void task.clearPoisonSuspicion();
  }

  async #run(task: Task): Promise<void> {
    task.started = true;
    const { message } = task;
    this.#machine.trace.line(this.#machine.name, () => `takes ${message.subject} ${message.id} (${message.seq})`);
    try {
      await this.#options.handler(asInboxMessage(task));
      this.#acknowledge(task);
    } catch (error) {
      await this.#failed(task, error);
    }
  }

  async #failed(task: Task, error: unknown): Promise<void> {
    if (!this.#isCurrent(task)) return;
    const { seq } = task.message;
    const failures = this.#failures.get(seq) ?? 0;
    const outcome = classifyFailure(error, failures, DEFAULT_RETRY);
    this.#machine.trace.line(this.#machine.name, () => `fails at (${seq}): ${textOf(error)}`);
    if (outcome.kind === 'dead') return this.#deadLetter(task, outcome.problem);
    this.#failures.set(seq, failures + Number(outcome.counts));
    if (this.#options.shouldRequeue(error)) this.#yieldToOthers(task);
    else this.#retryLater(task, outcome.delayMs, () => void this.#run(task));
  }

  #yieldToOthers(task: Task): void {
    const { seq } = task.message;
    const { partition } = this.#options.lease;
    this.#notify(() =>
      this.#machine.scheduler.after(BEHIND_OTHERS_MS, () => {
        this.#server.inbox.nak(this.#durable, partition, seq);
        return false;
      }),
    );
    this.#finishTask(task);
  }

  #retryLater(task: Task, delayMs: number, work: () => void): void {
    task.started = false;
    if (this.#paused) return void this.#nak(task);
    this.#machine.after(delayMs, () => {
      if (this.#isCurrent(task)) work();
    });
  }

  async #deadLetter(task: Task, problem: Problem): Promise<void> {
    const { id, subject } = task.message;
    try {
      await this.#options.onDead(asInboxMessage(task), problem);
      await this.#machine.call('dead-letter', () => this.#server.dead.push({ subject, id, ...problem }));
      this.#acknowledge(task);
    } catch {
      this.#retryLater(task, DEAD_LETTER_RETRY_MS, () => void this.#deadLetter(task, problem));
    }
  }

  #acknowledge(task: Task): void {
    if (!this.#isCurrent(task)) return;
    const { seq } = task.message;
    this.#notify(() => this.#server.inbox.acknowledge(this.#durable, this.#options.lease.partition, seq));
    this.#failures.delete(seq);
    this.#finishTask(task);
  }

  #finishTask({ message: { seq, subject } }: Task): void {
    this.#tasks.delete(seq);
    if (this.#tasks.size === 0) this.#drained?.();
    const queue = queueKeyOf(subject);
    const next = this.#queues.get(queue)?.shift();
    if (next) queueMicrotask(() => this.#start(next));
    else this.#queues.delete(queue);
    this.#pull();
  }

  /** Requests messages. The request is not lost: the real client repeats it. */
  #pull(): void {
    const { scheduler } = this.#machine;
    scheduler.after(this.#machine.latency(), () => {
      this.#server.inbox.pull(this.#durable, this.#options.lease.partition);
      return false;
    });
  }

  #nak({ message: { seq, subject } }: Task): void {
    this.#notify(() => this.#server.inbox.nak(this.#durable, this.#options.lease.partition, seq));
    this.#tasks.delete(seq);
    if (this.#tasks.size === 0) this.#drained?.();
    const queue = this.#queues.get(queueKeyOf(subject));
    if (queue?.length === 0) this.#queues.delete(queueKeyOf(subject));
  }

  /** Sends without a response, so the sender does not notice a loss. */
  #notify(act: () => void): void {
    const { faults, random, scheduler } = this.#machine;
    if (random.chance(faults.undelivered)) return;
    scheduler.after(this.#machine.latency(), () => {
      act();
      return false;
    });
  }

  #isCurrent(task: Task): boolean {
    return this.#tasks.get(task.message.seq) === task;
  }
}

const asInboxMessage = ({ message: { data, id, subject }, deliveries, clearPoisonSuspicion }: Task): InboxMessage => ({
  subject,
  data,
  deliveries,
  clearPoisonSuspicion: async () => clearPoisonSuspicion?.(),
  event: { id, type: '', source: '', time: '' },
});

const textOf = (error: unknown): string =>
  isReinsError(error)
    ? `${error.code}: ${error.message}`
    : error instanceof Error
      ? (error.stack ?? '')
      : String(error);

const leaseLost = ({ epoch, partition }: Lease): ReinsError =>
  new ReinsError({
    code: 'bus_lease_lost',
    message: `the lease of partition ${partition} under epoch ${epoch} was lost`,
  });
