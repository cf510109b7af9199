import { DEFAULT_RETRY, judgeFailure, type Lease, type StopReason } from '@reins/bus';
import { isReinsError, type Problem, ReinsError } from '@reins/contracts';
import type { Inbox, InboxConsumerOptions, InboxMessage } from '@reins/control-bus/core';
import { type InboxReader, laneOf } from '../server/inbox.ts';
import type { StoredMessage } from '../server/log.ts';
import type { Server } from '../server/server.ts';
import type { Machine } from './machine.ts';

/** Together with the first, unmarked one this makes three. */
const MARKED_CRASHES = 2;
const BURY_AGAIN_MS = 5_000;
const GRACE_MS = 10_000;
const BEHIND_OTHERS_MS = 1_000;

interface Task {
  readonly message: StoredMessage;
  readonly deliveries: number;
  begun: boolean;
  /** Of one that may have ended the process: takes that back. */
  absolve?: () => Promise<void>;
}

/**
 * The messages of one partition in the hands of its owner: what `Consumption` of `@reins/bus` does over a connection. In order per run,
 * tried again in their place, dead after so many failures or crashes.
 */
export class SimulatedInbox implements InboxReader, Inbox {
  readonly #machine: Machine;
  readonly #server: Server;
  readonly #use: InboxConsumerOptions;
  readonly #durable: string;
  readonly #tasks = new Map<number, Task>();
  readonly #lanes = new Map<string, Task[]>();
  readonly #failures = new Map<number, number>();
  readonly #ended = Promise.withResolvers<StopReason>();
  #suspects: Promise<unknown> = Promise.resolve();
  #suspectUntil = 0;
  #paused = false;
  #abandoned = false;
  #drained: (() => void) | undefined;

  private constructor(machine: Machine, server: Server, use: InboxConsumerOptions) {
    this.#machine = machine;
    this.#server = server;
    this.#use = use;
    this.#durable = `p${use.lease.partition}-e${use.lease.epoch}`;
  }

  /** As `consumeInbox` of `@reins/bus`: durables of earlier epochs are removed, until ours stands. @throws ReinsError `bus_lease_lost` */
  static async take(machine: Machine, server: Server, use: InboxConsumerOptions): Promise<SimulatedInbox> {
    const { lease, leases } = use;
    const inbox = new SimulatedInbox(machine, server, use);
    for (;;) {
      if (!(await leases.verify(lease))) throw leaseLost(lease);
      const former = await machine.call('list durables', () => server.inbox.durableOf(lease.partition));
      if (former && former.epoch > lease.epoch) throw leaseLost(lease);
      if (former && former.epoch < lease.epoch) {
        await machine.call('delete durable', () => {
          if (server.inbox.durableOf(lease.partition)?.name === former.name) server.inbox.remove(lease.partition);
        });
      }
      const made = await machine.call('create durable', () => {
        const stands = server.inbox.durableOf(lease.partition);
        if (stands?.epoch === lease.epoch) return { lastSeq: 0 };
        return server.inbox.create(lease.partition, lease.epoch, inbox);
      });
      if (!made) continue;
      inbox.#suspectUntil = former ? made.lastSeq : 0;
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
    scheduler.after(this.#machine.latency(), () => this.#machine.deliver(() => this.#take(message, deliveries)));
  }

  get isTaking(): boolean {
    return this.#machine.alive && !this.#paused;
  }

  isWorkingOn(seq: number): boolean {
    return this.#machine.alive && !this.#machine.isFrozen && this.#tasks.has(seq);
  }

  gone(): void {
    this.#machine.after(this.#machine.random.between(1, 3_000), () => this.abandon('consumer_gone'));
  }

  pause(): void {
    if (this.#paused) return;
    this.#paused = true;
    for (const task of [...this.#tasks.values()]) if (!task.begun) this.#handBack(task);
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

  /** Nothing is acknowledged any more. */
  abandon(reason: StopReason): void {
    this.#paused = true;
    this.#abandoned = true;
    this.#tasks.clear();
    this.#drained?.();
    this.#ended.resolve(reason);
  }

  #take(message: StoredMessage, deliveries: number): void {
    if (this.#abandoned || this.#tasks.has(message.seq)) return;
    const task: Task = { message, deliveries, begun: false };
    if (this.#paused) return void this.#handBack(task);
    this.#tasks.set(message.seq, task);
    const lane = this.#lanes.get(laneOf(message.subject));
    if (lane) lane.push(task);
    else {
      this.#lanes.set(laneOf(message.subject), []);
      this.#begin(task);
    }
  }

  #begin(task: Task): void {
    const { seq } = task.message;
    if (!this.#holds(task)) return;
    const isSuspect = !this.#failures.has(seq) && (task.deliveries > 1 || seq <= this.#suspectUntil);
    if (!isSuspect) return void this.#run(task);
    this.#suspects = this.#suspects.then(() => this.#runSuspect(task));
  }

  /** One at a time, each after a mark that outlives a crash. */
  async #runSuspect(task: Task): Promise<void> {
    const { seq } = task.message;
    const { name } = this.#machine;
    const marks = this.#server.crashMarks;
    const crashes = await this.#machine
      .call('mark', () => {
        const { crashes: before = 0, owner } = marks.get(seq) ?? {};
        const others = owner === name ? before - 1 : before;
        if (others < MARKED_CRASHES) marks.set(seq, { crashes: others + 1, owner: name });
        return others;
      })
      .catch(() => 0);
    if (!this.#holds(task)) return;
    if (crashes >= MARKED_CRASHES) {
      task.begun = true;
      await this.#kill(task, {
        code: 'delivery_crashed',
        message: 'the process ended each time it handled this message',
      });
      return;
    }
    task.absolve = () => this.#machine.call('unmark', () => void marks.delete(seq)).catch(() => {});
    await this.#run(task);
    void task.absolve();
  }

  async #run(task: Task): Promise<void> {
    task.begun = true;
    const { message } = task;
    this.#machine.trace.line(this.#machine.name, () => `takes ${message.subject} ${message.id} (${message.seq})`);
    try {
      await this.#use.handler(asInboxMessage(task));
      this.#finish(task);
    } catch (error) {
      await this.#failed(task, error);
    }
  }

  async #failed(task: Task, error: unknown): Promise<void> {
    if (!this.#holds(task)) return;
    const { seq } = task.message;
    const failures = this.#failures.get(seq) ?? 0;
    const verdict = judgeFailure(error, failures, DEFAULT_RETRY);
    this.#machine.trace.line(this.#machine.name, () => `fails at (${seq}): ${textOf(error)}`);
    if (verdict.kind === 'dead') return this.#kill(task, verdict.problem);
    this.#failures.set(seq, failures + Number(verdict.counts));
    if (this.#use.givesWay(error)) this.#giveWay(task);
    else this.#later(task, verdict.delayMs, () => void this.#run(task));
  }

  #giveWay(task: Task): void {
    const { seq } = task.message;
    const { partition } = this.#use.lease;
    this.#notify(() =>
      this.#machine.scheduler.after(BEHIND_OTHERS_MS, () => {
        this.#server.inbox.handBack(this.#durable, partition, seq);
        return false;
      }),
    );
    this.#leave(task);
  }

  #later(task: Task, delayMs: number, work: () => void): void {
    task.begun = false;
    if (this.#paused) return void this.#handBack(task);
    this.#machine.after(delayMs, () => {
      if (this.#holds(task)) work();
    });
  }

  async #kill(task: Task, problem: Problem): Promise<void> {
    const { id, subject } = task.message;
    try {
      await this.#use.onDead(asInboxMessage(task), problem);
      await this.#machine.call('bury', () => this.#server.dead.push({ subject, id, ...problem }));
      this.#finish(task);
    } catch {
      this.#later(task, BURY_AGAIN_MS, () => void this.#kill(task, problem));
    }
  }

  #finish(task: Task): void {
    if (!this.#holds(task)) return;
    const { seq } = task.message;
    this.#notify(() => this.#server.inbox.acknowledge(this.#durable, this.#use.lease.partition, seq));
    this.#failures.delete(seq);
    this.#leave(task);
  }

  #leave({ message: { seq, subject } }: Task): void {
    this.#tasks.delete(seq);
    if (this.#tasks.size === 0) this.#drained?.();
    const lane = laneOf(subject);
    const next = this.#lanes.get(lane)?.shift();
    if (next) queueMicrotask(() => this.#begin(next));
    else this.#lanes.delete(lane);
  }

  #handBack({ message: { seq, subject } }: Task): void {
    this.#notify(() => this.#server.inbox.handBack(this.#durable, this.#use.lease.partition, seq));
    this.#tasks.delete(seq);
    if (this.#tasks.size === 0) this.#drained?.();
    const lane = this.#lanes.get(laneOf(subject));
    if (lane?.length === 0) this.#lanes.delete(laneOf(subject));
  }

  /** Without an answer: what is lost is not known to be. */
  #notify(act: () => void): void {
    const { faults, random, scheduler } = this.#machine;
    if (random.chance(faults.undelivered)) return;
    scheduler.after(this.#machine.latency(), () => {
      act();
      return false;
    });
  }

  #holds(task: Task): boolean {
    return this.#tasks.get(task.message.seq) === task;
  }
}

const asInboxMessage = ({ message: { data, id, subject }, deliveries, absolve }: Task): InboxMessage => ({
  subject,
  data,
  deliveries,
  absolve: async () => absolve?.(),
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
    message: `the lease of partition ${partition} under epoch ${epoch} is gone`,
  });
