import type { Msg } from '@nats-io/nats-core';
import type { Problem } from '@reins/contracts';
import type { Bus } from '../connection/bus.ts';
import { poisonPoint } from '../crash/crash-points.ts';
import { deadLetter } from '../dead/dead-letter.ts';
import { extendAckDeadlines } from './ack-deadlines.ts';
import { parseDelivery } from './delivery.ts';
import { errorText } from './error-text.ts';
import { FairQueue, UNLIMITED, WAITING_LIMITS } from './fair-queue.ts';
import { BusMessage } from './message.ts';
import type { HandledOutcome } from './observer.ts';
import type { ConsumeOptions } from './options.ts';
import { PullClient, type StopReason } from './pull-client.ts';
import { CRASHED, Quarantine } from './quarantine.ts';
import { classifyFailure, DEFAULT_RETRY, type Failures, jittered, NO_FAILURES, type RetryPolicy } from './retry.ts';
import { SlotPauses } from './slot-pauses.ts';
import { ACK, againIn, newTask, type Task } from './task.ts';

const GRACE_MS = 10_000;
/** A message that could not be held is retried after this time. */
const HOLD_RETRY_MS = 30_000;
/** A message whose dead-lettering failed is retried after this time. */
const DEAD_LETTER_RETRY_MS = 5_000;

/**
 * The running consumption of a durable consumer: receives messages, runs the handler and acknowledges. Created by
 * `consume`.
 */
export class Consumption {
  readonly #bus: Bus;
  readonly #options: ConsumeOptions;
  readonly #retry: RetryPolicy;
  readonly #pull: PullClient;
  readonly #tasks = new Map<number, Task>();
  readonly #queue: FairQueue<Task>;
  /** Failed attempts by stream sequence, as far as this process has seen them. */
  readonly #failures = new Map<number, Failures>();
  readonly #quarantine: Quarantine;
  readonly #pauses = new SlotPauses(() => this.#pull.refill());
  readonly #abort = new AbortController();
  readonly #ended = Promise.withResolvers<StopReason>();
  readonly #heartbeat: NodeJS.Timeout;
  #concurrency: number;
  #paused = false;
  #drained: (() => void) | undefined;

  /** @internal Use `consume`. */
  constructor(bus: Bus, options: ConsumeOptions, ackWaitMs: number) {
    this.#bus = bus;
    this.#options = options;
    this.#concurrency = options.concurrency;
    this.#queue = new FairQueue(options.hold ? WAITING_LIMITS : UNLIMITED);
    this.#retry = { ...DEFAULT_RETRY, ...options.retry };
    this.#quarantine = new Quarantine(bus, options.crashName ?? options.durable);
    this.#pull = new PullClient(bus, options.stream, options.durable, {
      room: () => this.#concurrency - (options.hold ? this.#queue.active : this.#tasks.size) - this.#pauses.size,
      onMessage: (message) => this.#take(message),
      onEnd: (reason) => this.#abandon(reason),
    });
    this.#heartbeat = extendAckDeadlines(this.#tasks, ackWaitMs);
  }

  /** Number of messages received and not finished. */
  get taken(): number {
    return this.#tasks.size;
  }

  /** Whether a message with this key is being handled or waits in memory. */
  isBusy(key: string): boolean {
    return this.#queue.isBusy(key);
  }

  get closed(): Promise<StopReason> {
    return this.#ended.promise;
  }

  /** Changes the number of messages that are handled concurrently. */
  resize(concurrency: number): void {
    this.#concurrency = concurrency;
    this.#pull.refill();
  }

  /** First phase of a shutdown: receives no more messages and returns those not started to the server. */
  pause(): void {
    if (this.#paused) return;
    this.#paused = true;
    this.#pull.stop();
    for (const [seq, task] of this.#tasks) if (!task.started) this.#returnToServer(seq, task);
  }

  /**
   * Full shutdown: pauses, waits at most `graceMs` for running handlers, then returns the remaining messages to the
   * server.
   */
  async stop(options: { readonly graceMs?: number } = {}): Promise<void> {
    this.pause();
    if (this.#tasks.size > 0) {
      const { promise: drained, resolve } = Promise.withResolvers<void>();
      this.#drained = resolve;
      const timer = setTimeout(resolve, options.graceMs ?? GRACE_MS);
      await drained;
      clearTimeout(timer);
    }
    this.#abort.abort();
    for (const [seq, task] of this.#tasks) this.#returnToServer(seq, task);
    this.#end('stopped');
  }

  /** Ends the consumption immediately: nothing more is acknowledged and the handlers' signals abort. */
  abandon(): void {
    this.#abandon('stopped');
  }

  #abandon(reason: StopReason): void {
    this.#paused = true;
    this.#pull.stop();
    this.#abort.abort();
    for (const task of this.#tasks.values()) clearTimeout(task.retryTimer);
    this.#tasks.clear();
    this.#drained?.();
    this.#end(reason);
  }

  #end(reason: StopReason): void {
    this.#pauses.stop();
    clearInterval(this.#heartbeat);
    this.#ended.resolve(reason);
  }

  #take(raw: Msg): void {
    const delivery = parseDelivery(raw.reply ?? '');
    if (!delivery) return;
    const known = this.#tasks.get(delivery.streamSeq);
    if (known) {
      // Redelivered during its handling, after a lost connection. The newest delivery is the one to acknowledge.
      known.raw = raw;
      return;
    }
    if (this.#paused) return void raw.respond(ACK.again);
    const message = new BusMessage(raw, delivery, this.#abort.signal);
    const task = newTask(message, this.#options.orderBy?.(message), raw);
    this.#tasks.set(message.seq, task);
    const place = this.#queue.enter(task.key, task);
    task.overflows = place === 'overflow';
    if (place === 'active') this.#begin(task);
    else if (place === 'overflow') void this.#hold(task, undefined);
    else this.#pull.refill(); // A message that waits takes no slot.
  }

  #begin(task: Task): void {
    if (!this.#isCurrent(task)) return;
    if (this.#isSuspect(task.message)) void this.#beginSuspect(task);
    else this.#run(task);
  }

  #isSuspect({ seq, deliveries }: BusMessage): boolean {
    return !this.#failures.has(seq) && (deliveries > 1 || seq <= (this.#options.suspectUntil ?? 0));
  }

  async #beginSuspect(task: Task): Promise<void> {
    await this.#quarantine.admit(task.message.seq, {
      handle: async (clearPoisonSuspicion) => {
        task.message.markSuspected(clearPoisonSuspicion);
        if (this.#isCurrent(task)) await this.#run(task);
      },
      giveUp: async (notify) => {
        if (this.#isCurrent(task)) await this.#giveUp(task, notify);
      },
    });
  }

  #giveUp(task: Task, notify: boolean): Promise<void> {
    task.started = true;
    task.startedAt = performance.now();
    return this.#deadLetter(task, CRASHED, notify);
  }

  /** Calls synchronous handlers without a promise: creating one for each message would cost more than the handling. */
  #run(task: Task): void | Promise<void> {
    task.started = true;
    task.startedAt = performance.now();
    const { observer } = this.#bus;
    return observer ? observer.runInContext(task.message, () => this.#call(task)) : this.#call(task);
  }

  #call(task: Task): void | Promise<void> {
    poisonPoint(task.message);
    try {
      const handled = this.#options.handler(task.message);
      if (!handled) return this.#done(task);
      return handled.then(
        () => this.#done(task),
        (error) => this.#fail(task, error),
      );
    } catch (error) {
      return this.#fail(task, error);
    }
  }

  #done(task: Task): void {
    this.#observe(task, 'done');
    this.#pauses.succeeded();
    this.#finish(task, ACK.done);
  }

  #observe({ message, startedAt }: Task, outcome: HandledOutcome, error?: unknown): void {
    this.#bus.observer?.handled({ message, outcome, startedAt, error });
  }

  #fail(task: Task, error: unknown): void | Promise<void> {
    if (!this.#isCurrent(task)) return;
    const { seq, subject } = task.message;
    const action = classifyFailure(error, this.#failures.get(seq) ?? NO_FAILURES, this.#retry);
    if (action.kind === 'dead') return this.#deadLetter(task, action.problem);
    this.#observe(task, 'failed', error);
    const { delayMs, failures } = action;
    this.#failures.set(seq, failures);
    const retryInMs = jittered(delayMs, Math.random());
    this.#bus.log.warn({ subject, seq, ...failures, error: errorText(error), retryInMs }, 'handler failed');
    if (action.isOutage && task.key === undefined) this.#pauses.failed(seq, retryInMs, this.#concurrency);
    if (this.#paused) this.#finish(task, ACK.again, true);
    else if (task.key === undefined) this.#finish(task, againIn(retryInMs), true);
    else if (this.#options.hold && (action.isStuck || !this.#queue.hasRoomToWait))
      return this.#hold(task, action.isStuck ? action.problem : undefined);
    // With `orderBy` the message keeps its place: later messages with the same key wait.
    else this.#scheduleRetry(task, retryInMs, () => this.#run(task));
  }

  /** Stores a message elsewhere and acknowledges it. If that fails, the message is handled again later. */
  async #hold(task: Task, problem: Problem | undefined): Promise<void> {
    task.started = true;
    try {
      await this.#options.hold?.(task.message, problem);
      this.#finish(task, ACK.done);
    } catch (error) {
      if (!this.#isCurrent(task)) return;
      this.#bus.log.warn({ seq: task.message.seq, error: errorText(error) }, 'message not held');
      const again = () => (task.overflows ? this.#hold(task, problem) : this.#run(task));
      this.#scheduleRetry(task, jittered(HOLD_RETRY_MS, Math.random()), again);
    }
  }

  #scheduleRetry(task: Task, delayMs: number, work: () => void | Promise<void>): void {
    task.started = false;
    const hasFreedSlot = this.#queue.suspend();
    task.retryTimer = setTimeout(() => {
      if (!this.#isCurrent(task)) return;
      task.started = true;
      if (hasFreedSlot) this.#queue.resume();
      void work();
    }, delayMs);
    if (this.#paused) this.#returnToServer(task.message.seq, task);
    else this.#pull.refill();
  }

  /**
   * Dead-letters a message.
   * @param notify whether `onDead` is called first
   */
  async #deadLetter(task: Task, problem: Problem, notify = true): Promise<void> {
    const { stream, durable } = this.#options;
    try {
      if (notify) await this.#options.onDead?.(task.message, problem);
      await deadLetter(this.#bus, { stream, consumer: durable }, task.message, problem);
      this.#observe(task, 'dead', problem);
      this.#finish(task, ACK.done);
    } catch (error) {
      this.#bus.log.error({ seq: task.message.seq, error: errorText(error) }, 'dead-lettering failed');
      this.#scheduleRetry(task, DEAD_LETTER_RETRY_MS, () => this.#deadLetter(task, problem, notify));
    }
  }

  #returnToServer(seq: number, task: Task): void {
    clearTimeout(task.retryTimer);
    task.raw.respond(ACK.again);
    this.#tasks.delete(seq);
    if (this.#tasks.size === 0) this.#drained?.();
  }

  /** Acknowledges without waiting: if the acknowledgement is lost, the message is redelivered. */
  #finish(task: Task, ack: Uint8Array, willBeRedelivered = false): void {
    if (!this.#isCurrent(task)) return;
    const { seq } = task.message;
    task.raw.respond(ack);
    this.#tasks.delete(seq);
    if (!willBeRedelivered && this.#failures.size > 0) this.#failures.delete(seq);
    if (this.#tasks.size === 0) this.#drained?.();
    this.#leaveQueue(task);
    if (!this.#paused) this.#pull.refill();
  }

  #leaveQueue({ key, overflows }: Task): void {
    const next = key === undefined || overflows ? this.#queue.release() : this.#queue.leave(key);
    // Deferred: with synchronous handlers, each message of a key would add a nested call.
    if (next) queueMicrotask(() => this.#begin(next));
    else if (key !== undefined && !overflows) this.#options.onIdle?.(key);
  }

  #isCurrent(task: Task): boolean {
    return this.#tasks.get(task.message.seq) === task;
  }
}
