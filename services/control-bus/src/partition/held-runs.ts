import { type HeldMessage, type HeldMessages, jittered } from '@reins/bus';
import type { Problem, RunAddress } from '@reins/contracts';
import type { Logger } from '@reins/service-kit';
import { Fenced } from '../run/lifecycle/run-errors.ts';
import type { Clock } from './clock.ts';
import {
  type DelayReason,
  type Hanging,
  HeldMessageHandler,
  type HeldMessageHandlerPorts,
  isFailure,
  type MessageHandler,
  type Outcome,
  type Retry,
} from './held-message-handler.ts';
import {
  type HeldRun,
  type HoldReason,
  inOrder,
  isSignal,
  lastHeldSeq,
  newHeldRun,
  overtakesSignals,
  signalNameOf,
  startsOrEnds,
  typeOf,
} from './held-run.ts';
import type { InboxMessage } from './inbox.ts';
import type { ParkedRuns } from './parked-runs.ts';
import { PARKED_MS, Parking } from './parking.ts';
import { Turns } from './turns.ts';

/** The dependencies of the held runs of a partition. */
export interface HeldRunsPorts extends HeldMessageHandlerPorts {
  readonly log: Pick<Logger, 'warn' | 'error'>;
  readonly clock: Clock;
  /** A random fraction from 0 to 1. */
  readonly random: () => number;
  readonly messages: Pick<HeldMessages, 'add' | 'read' | 'remove' | 'runs' | 'deadLetter'>;
  readonly parked: ParkedRuns;
}

/** The partition that holds the runs. */
export interface HeldRunsOwner extends MessageHandler {
  readonly partition: number;
  /** Whether messages of the run are in memory. They come before the held ones. */
  readonly isBusy: (runId: string) => boolean;
  /** By our own clock. */
  readonly isOwner: () => boolean;
  /** Asks the server. @throws ReinsError of the bus */
  readonly verifyOwner: () => Promise<boolean>;
}

/** Runs that are tried concurrently, and the messages of a run in one turn. */
const RUNS_AT_ONCE = 8;
const MESSAGES_PER_TURN = 32;
/** The next try after a failure of the bus. */
const RETRY_MS = 5_000;
/** The first and the longest delay before a run that keeps the maximum number of signals is tried again. */
const FULL_MS = 1_000;
const MAX_FULL_MS = 16_000;
const SWEEP_MS = 60_000;

/**
 * The runs of a partition whose messages are held: commands to a request that waits for its session, messages that have
 * no place in memory, and messages that keep failing. The messages of a held run are stored outside of the inbox and
 * handled later in order, a few runs at a time. A run that keeps failing is parked: it is tried again after a growing
 * delay, or when an operator unparks it.
 */
export class HeldRuns {
  readonly #ports: HeldRunsPorts;
  readonly #owner: HeldRunsOwner;
  readonly #handler: HeldMessageHandler;
  readonly #parking: Parking;
  readonly #runs = new Map<string, HeldRun>();
  readonly #turns = new Turns(RUNS_AT_ONCE);
  #stopped = false;
  #cancelSweep: () => void = () => {};

  constructor(ports: HeldRunsPorts, owner: HeldRunsOwner) {
    this.#ports = ports;
    this.#owner = owner;
    this.#handler = new HeldMessageHandler(ports, owner);
    this.#parking = new Parking(ports, owner.partition);
  }

  /** Finds the held messages of the previous owner. Call it before a message of the inbox is handled. */
  async start(): Promise<void> {
    const { messages, parked, random } = this.#ports;
    const { partition } = this.#owner;
    const [runs, records] = await Promise.all([messages.runs(partition), parked.list(partition)]);
    for (const run of runs) {
      const held = this.#open(run);
      held.suspectUntil = Number.POSITIVE_INFINITY;
      held.parked = records.find(({ requestId }) => requestId === run.runId);
      if (held.parked) this.#rest(held, PARKED_MS * random());
      else this.#wake(held);
    }
    this.#scheduleSweep();
  }

  stop(): void {
    this.#stopped = true;
    this.#cancelSweep();
    for (const { cancelRetry } of this.#runs.values()) cancelRetry();
  }

  /** Whether a message of this type has to be held, because earlier messages of its run are. */
  holds({ runId }: RunAddress, type: string): boolean {
    const held = this.#runs.get(runId);
    return held !== undefined && (held.isFull ? isSignal(type) : !startsOrEnds(type));
  }

  /** Whether messages of the run are held. */
  has({ runId }: RunAddress): boolean {
    return this.#runs.has(runId);
  }

  /** Whether a held message that starts or ends the run was not tried yet. */
  hasUntriedStart({ runId }: RunAddress): boolean {
    return this.#runs.get(runId)?.isStartHeld ?? false;
  }

  /** Stores a message. Resolves when it is durable. */
  async hold(run: RunAddress, message: InboxMessage, reason: HoldReason): Promise<void> {
    const held = this.#runs.get(run.runId) ?? this.#open(run);
    const { releases } = held;
    held.adding += 1;
    try {
      await this.#ports.messages.add(run, message);
      held.added += 1;
      if (startsOrEnds(typeOf(message))) held.isStartHeld = true;
      if (overtakesSignals(typeOf(message))) held.isOvertaken = true;
    } finally {
      held.adding -= 1;
      if (reason) this.#settle(held, reason, releases);
      else if (startsOrEnds(typeOf(message))) this.release(run);
      else this.#wake(held);
    }
  }

  /** Tries the held messages of a run now: it may have started, or an operator unparks it. */
  release({ runId }: RunAddress): void {
    const held = this.#runs.get(runId);
    if (!held) return;
    held.releases += 1;
    held.cancelRetry();
    held.status = 'due';
    // The message that starts the run may not be among those that were read.
    held.batch = [];
    this.#wake(held);
  }

  /** Tries the runs again whose start is waited for: the streams may have lost it. */
  releaseWaiting(): void {
    for (const { run, status } of [...this.#runs.values()]) if (status === 'waiting') this.release(run);
  }

  /** Call it when no message of the run is left in memory. */
  onIdle(runId: string): void {
    const held = this.#runs.get(runId);
    if (held) this.#wake(held);
  }

  #open(run: RunAddress): HeldRun {
    const held = newHeldRun(run);
    this.#runs.set(run.runId, held);
    return held;
  }

  /** Queues the run if its messages can be tried now. */
  #wake(held: HeldRun): void {
    if (this.#stopped || held.isQueued || held.isHanging || held.status !== 'due' || held.adding > 0) return;
    if (this.#owner.isBusy(held.run.runId)) return;
    held.isQueued = true;
    this.#turns.add(() => this.#takeTurn(held));
  }

  async #takeTurn(held: HeldRun): Promise<void> {
    if (!this.#stopped) await this.#try(held);
    held.isQueued = false;
    this.#wake(held);
  }

  /** Handles some messages of the run. Then other runs have their turn. */
  async #try(held: HeldRun): Promise<void> {
    const { added, releases } = held;
    try {
      if (held.batch.length === 0 || held.isOvertaken) {
        held.isStartHeld = false;
        held.isOvertaken = false;
        held.batch = inOrder(await this.#ports.messages.read(held.run));
        // No earlier owner has handled those that are held from now on.
        held.suspectUntil = Math.min(held.suspectUntil, lastHeldSeq(held.batch));
      }
      if (!this.#isOwner()) throw new Fenced(held.run.runId);
      if (held.batch.length === 0) return this.#closeUnlessAdded(held, added);
      this.#settle(held, await this.#handleTurn(held), releases);
    } catch (error) {
      held.batch = [];
      // The next owner reads them.
      if (this.#stopped) return;
      this.#ports.log.warn({ err: error, ...held.run }, 'held messages not handled, retrying');
      this.#rest(held, RETRY_MS);
    }
  }

  /** @returns why the next message stays held; undefined when it can be tried */
  async #handleTurn(held: HeldRun): Promise<DelayReason> {
    // A release while a message is handled discards the batch of the run.
    const { batch } = held;
    const handled: HeldMessage[] = [];
    /** Names of signals that the run cannot keep now. Others may be those that it waits for. */
    const full = new Set<string>();
    let outcome: Outcome = 'handled';
    for (const message of batch) {
      const name = signalNameOf(message);
      if (name !== undefined && full.has(name)) continue;
      outcome = await this.#handler.handle(held, message);
      if (outcome === 'full') full.add(name ?? '');
      else if (outcome !== 'handled' || handled.push(message) === MESSAGES_PER_TURN) break;
    }
    // Messages change nothing after the end of their run.
    const done = outcome === 'ended' ? batch : handled;
    if (done.length > 0) await this.#remove(held, done);
    if (typeof outcome === 'object') {
      if (outcome.kind === 'hangs') this.#waitForEnd(held, outcome.ended);
      return outcome;
    }
    if (outcome === 'waits' || outcome === 'ended') return outcome === 'waits' ? 'waits' : undefined;
    return full.size > 0 ? 'full' : undefined;
  }

  /**
   * Removes handled messages. If we are still the owner now, no newer owner had changed the run when they were handled:
   * nothing was decided on an outdated state.
   */
  async #remove(held: HeldRun, handled: readonly HeldMessage[]): Promise<void> {
    this.#parking.unpark(held);
    held.fullTries = 0;
    if (!(await this.#owner.verifyOwner())) throw new Fenced(held.run.runId);
    await this.#ports.messages.remove(handled);
    held.batch = held.batch.filter((message) => !handled.includes(message));
  }

  /** A message that was stored after the last read is read next. */
  #closeUnlessAdded(held: HeldRun, added: number): void {
    if (held.adding > 0 || held.added > added) return;
    held.status = 'closed';
    this.#runs.delete(held.run.runId);
    this.#parking.unpark(held);
  }

  /** Decides when the run is tried next. @param releases the number of releases when its message was tried */
  #settle(held: HeldRun, reason: DelayReason, releases: number): void {
    held.isFull = reason === 'full';
    // Messages that stay are read again when they are tried again, so that they take no memory.
    if (reason !== undefined) held.batch = [];
    if (reason === undefined || held.releases > releases) this.#wake(held);
    else if (reason === 'waits') this.#waitForStart(held);
    else if (reason === 'full') this.#waitForSpace(held);
    else this.#retryLater(held, reason);
  }

  /** The run is parked once it has failed as often as a message of the inbox may. */
  #retryLater(held: HeldRun, reason: Problem | Retry | Hanging): void {
    const problem = isFailure(reason) ? reason.problem : reason;
    const isEarly = isFailure(reason) && reason.kind === 'again' && !reason.isStuck && !held.parked;
    if (problem.code === 'partition_moved') this.#rest(held, RETRY_MS);
    else this.#rest(held, isEarly ? reason.delayMs : this.#parking.park(held, problem));
  }

  /** The run is not tried again while a message of it is being handled. */
  #waitForEnd(held: HeldRun, ended: Promise<unknown>): void {
    held.isHanging = true;
    void ended.then(() => {
      held.isHanging = false;
      this.release(held.run);
    });
  }

  /** Each try reads all messages of the run, so the delay grows while the run consumes none of its signals. */
  #waitForSpace(held: HeldRun): void {
    this.#rest(held, Math.min(FULL_MS * 2 ** held.fullTries, MAX_FULL_MS));
    held.fullTries += 1;
  }

  /** The message that starts the run may be held as well: memory may have had no room for it either. */
  #waitForStart(held: HeldRun): void {
    held.status = held.isStartHeld ? 'due' : 'waiting';
    this.#wake(held);
  }

  #rest(held: HeldRun, ms: number): void {
    held.status = 'resting';
    held.cancelRetry();
    if (this.#stopped) return;
    held.cancelRetry = this.#ports.clock.after(jittered(ms, this.#ports.random()), () => this.release(held.run));
  }

  #scheduleSweep(): void {
    if (this.#stopped) return;
    this.#cancelSweep = this.#ports.clock.after(SWEEP_MS, () => {
      void this.#sweep()
        .catch((error) => this.#ports.log.warn({ err: error }, 'held messages not listed'))
        .finally(() => this.#scheduleSweep());
    });
  }

  /** Finds messages that a previous owner stored late, and removes the records of runs that are not parked any more. */
  async #sweep(): Promise<void> {
    const { messages, parked } = this.#ports;
    const { partition } = this.#owner;
    const records = await parked.list(partition);
    const runs = await messages.runs(partition);
    if (!this.#isOwner()) return;
    for (const run of runs) if (!this.#runs.has(run.runId)) this.#wake(this.#open(run));
    for (const { requestId: runId, workspaceId } of records)
      if (!this.#runs.get(runId)?.parked) await parked.delete(partition, { runId, workspaceId });
  }

  #isOwner(): boolean {
    return !this.#stopped && this.#owner.isOwner();
  }
}
