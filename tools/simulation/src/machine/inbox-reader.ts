import {
  CRASHED,
  classifyFailure,
  DEFAULT_RETRY,
  type Failures,
  FairQueue,
  jittered,
  type Lease,
  NO_FAILURES,
  type StopReason,
} from '@reins/bus';
import { isReinsError, type Problem, ReinsError } from '@reins/contracts';
import type { Inbox, InboxConsumerOptions } from '@reins/control-bus/core';
import { type InboxReader, queueKeyOf } from '../server/inbox.ts';
import type { StoredMessage } from '../server/log.ts';
import type { Server } from '../server/server.ts';
import { asInboxMessage, type Task } from './inbox-task.ts';
import type { Machine } from './machine.ts';
import { SimulatedQuarantine } from './quarantine.ts';

const DEAD_LETTER_RETRY_MS = 5_000;
const GRACE_MS = 10_000;
const HOLD_RETRY_MS = 30_000;
/** Messages handled concurrently, and those that wait in memory; scaled down: a few clients fill them. */
export const SLOTS = 8;
const WAITING = { perKey: 3, total: 20 };

/**
 * Stands in for `Consumption` of `@reins/bus`: the owner's inbox of one partition. Messages of a run are handled in
 * order and retried in place. They are dead-lettered after too many failures or crashes.
 */
export class SimulatedInbox implements InboxReader, Inbox {
  readonly #machine: Machine;
  readonly #server: Server;
  readonly #options: InboxConsumerOptions;
  #durable = '';
  readonly #tasks = new Map<number, Task>();
  readonly #queue = new FairQueue<Task>(WAITING);
  readonly #failures = new Map<number, Failures>();
  readonly #quarantine: SimulatedQuarantine;
  readonly #ended = Promise.withResolvers<StopReason>();
  #suspectUntil = 0;
  #inTransit = 0;
  #paused = false;
  #abandoned = false;
  #drained: (() => void) | undefined;

  private constructor(machine: Machine, server: Server, options: InboxConsumerOptions) {
    this.#machine = machine;
    this.#server = server;
    this.#options = options;
    this.#quarantine = new SimulatedQuarantine(machine, server, 'inbox');
  }

  /** Like `consumeInbox` of `@reins/bus`: removes durables of earlier epochs and creates ours. @throws ReinsError `bus_lease_lost` */
  static async take(machine: Machine, server: Server, options: InboxConsumerOptions): Promise<SimulatedInbox> {
    const { lease, leases } = options;
    const inbox = new SimulatedInbox(machine, server, options);
    for (;;) {
      if (!(await leases.verify(lease))) throw leaseLost(lease);
      const previous = await machine.call('list durables', () => server.inbox.durableOf(lease.partition));
      if (previous && previous.epoch >= lease.epoch) await lease.raiseEpoch(previous.epoch);
      if (previous && previous.epoch >= lease.epoch) throw leaseLost(lease);
      if (previous) {
        await machine.call('delete durable', () => {
          if (server.inbox.durableOf(lease.partition)?.name === previous.name) server.inbox.remove(lease.partition);
        });
      }
      inbox.#durable = `p${lease.partition}-e${lease.epoch}`;
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
    return this.#machine.alive && !this.#paused ? SLOTS - this.#queue.active - this.#inTransit : 0;
  }

  isBusy(runId: string): boolean {
    return this.#queue.isBusy(runId);
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
    const task: Task = { message, deliveries, started: false, overflows: false };
    if (this.#paused) return void this.#nak(task);
    this.#tasks.set(message.seq, task);
    const place = this.#queue.enter(queueKeyOf(message.subject), task);
    task.overflows = place === 'overflow';
    if (place === 'active') this.#start(task);
    else if (place === 'overflow') void this.#hold(task, undefined);
    else this.#pull();
  }

  #start(task: Task): void {
    const { seq } = task.message;
    if (!this.#isCurrent(task)) return;
    const isSuspect = !this.#failures.has(seq) && (task.deliveries > 1 || seq <= this.#suspectUntil);
    if (!isSuspect) return void this.#run(task);
    void this.#quarantine.admit(seq, {
      handle: async (clear) => {
        task.clearPoisonSuspicion = clear;
        if (this.#isCurrent(task)) await this.#run(task);
      },
      giveUp: async (notify) => {
        if (!this.#isCurrent(task)) return;
        task.started = true;
        await this.#deadLetter(task, CRASHED, notify);
      },
    });
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
    const action = classifyFailure(error, this.#failures.get(seq) ?? NO_FAILURES, DEFAULT_RETRY);
    this.#machine.trace.line(this.#machine.name, () => `fails at (${seq}): ${textOf(error)}`);
    if (action.kind === 'dead') return this.#deadLetter(task, action.problem);
    this.#failures.set(seq, action.failures);
    if (this.#paused) return void this.#nak(task);
    if (action.isStuck || !this.#queue.hasRoomToWait)
      return this.#hold(task, action.isStuck ? action.problem : undefined);
    this.#retryLater(task, jittered(action.delayMs, this.#machine.random.fraction()), () => void this.#run(task));
  }

  async #hold(task: Task, problem: Problem | undefined): Promise<void> {
    task.started = true;
    try {
      await this.#options.hold(asInboxMessage(task), problem);
      this.#acknowledge(task);
    } catch {
      if (!this.#isCurrent(task)) return;
      this.#retryLater(task, HOLD_RETRY_MS, () => void (task.overflows ? this.#hold(task, problem) : this.#run(task)));
    }
  }

  #retryLater(task: Task, delayMs: number, work: () => void): void {
    task.started = false;
    if (this.#paused) return void this.#nak(task);
    const hasFreedSlot = this.#queue.suspend();
    this.#pull();
    this.#machine.after(delayMs, () => {
      if (!this.#isCurrent(task)) return;
      if (hasFreedSlot) this.#queue.resume();
      task.started = true;
      work();
    });
  }

  async #deadLetter(task: Task, problem: Problem, notify = true): Promise<void> {
    const { id, subject } = task.message;
    try {
      if (notify) await this.#options.onDead(asInboxMessage(task), problem);
      await this.#machine.call('dead-letter', () => this.#server.dead.push({ subject, id, ...problem }));
      this.#acknowledge(task);
    } catch {
      this.#retryLater(task, DEAD_LETTER_RETRY_MS, () => void this.#deadLetter(task, problem, notify));
    }
  }

  #acknowledge(task: Task): void {
    if (!this.#isCurrent(task)) return;
    const { seq } = task.message;
    this.#notify(() => this.#server.inbox.acknowledge(this.#durable, this.#options.lease.partition, seq));
    this.#failures.delete(seq);
    this.#finishTask(task);
  }

  #finishTask({ message: { seq, subject }, overflows }: Task): void {
    this.#tasks.delete(seq);
    if (this.#tasks.size === 0) this.#drained?.();
    const key = queueKeyOf(subject);
    const next = overflows ? this.#queue.release() : this.#queue.leave(key);
    if (next) queueMicrotask(() => this.#start(next));
    else if (!overflows) this.#options.onIdle(key);
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

  /** Returns a message to the server. Only a paused reader does that. */
  #nak({ message: { seq } }: Task): void {
    this.#notify(() => this.#server.inbox.nak(this.#durable, this.#options.lease.partition, seq));
    this.#tasks.delete(seq);
    if (this.#tasks.size === 0) this.#drained?.();
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
