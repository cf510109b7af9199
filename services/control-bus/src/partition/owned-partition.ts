import { isPermanent, type Lease, type LeaseVerifier } from '@reins/bus';
import { isReinsError, type Problem, parseInboxSubject, type RunAddress } from '@reins/contracts';
import { reconcileSession } from '../reconcile/reconcile-session.ts';
import { Reconciler } from '../reconcile/reconciler.ts';
import type { RunningMember } from '../reconcile/reconciler-ports.ts';
import { RunActor } from '../run/lifecycle/run-actor.ts';
import { Fenced, RunNotStarted } from '../run/lifecycle/run-errors.ts';
import type { RunPorts } from '../run/run-ports.ts';
import { type HoldReason, holdReasonOf, isSignalsFull, startsOrEnds } from './held-run.ts';
import { HeldRuns } from './held-runs.ts';
import { type Inbox, type InboxMessage, readTrigger } from './inbox.ts';
import { KeyedQueue } from './keyed-queue.ts';
import { LocalSteps } from './local-steps.ts';
import { OwnedJournal } from './owned-journal.ts';
import { OwnedLiveRuns } from './owned-live-runs.ts';
import type { PartitionPorts } from './partition-ports.ts';
import { RunAlarms } from './run-alarms.ts';
import { RunArchiver } from './run-archiver.ts';

/** Maximum concurrent inbox messages of one partition. Messages of one run are handled in order. */
const CONCURRENCY = 256;
/** Runs that are loaded concurrently when a partition is taken over. */
const LOADS_AT_ONCE = 16;

/**
 * A partition that we own under one lease: its journal, its inbox, its runs in memory, and the archiver of its ended
 * runs. Everything that changes a run goes through the run's queue, one task at a time.
 */
export class OwnedPartition {
  readonly #ports: PartitionPorts;
  readonly #lease: Lease;
  readonly #liveRuns: OwnedLiveRuns;
  readonly #journal: OwnedJournal;
  readonly #archiver: RunArchiver;
  readonly #actors = new Map<string, RunActor>();
  readonly #queue = new KeyedQueue();
  readonly #alarms: RunAlarms;
  readonly #steps: LocalSteps;
  readonly #held: HeldRuns;
  readonly #reconciler: Reconciler;
  /** Resolves when the held runs of the previous owner are known; rejects when the partition stops before that. */
  readonly #ready = Promise.withResolvers<void>();
  #leases: LeaseVerifier | undefined;
  #inbox: Inbox | undefined;
  #stopped = false;

  constructor(ports: PartitionPorts, lease: Lease) {
    this.#ports = ports;
    this.#lease = lease;
    this.#liveRuns = new OwnedLiveRuns(ports.liveRuns, lease);
    const { clock, log, partitions, run } = ports;
    this.#reconciler = new Reconciler(
      { ...ports.reconciler, clock, log, run },
      {
        lease,
        partitions,
        // Assigned below, before it is used.
        journal: () => this.#journal,
        isOwner: () => this.#isOwner(),
        check: (address) => this.#checkRun(address),
        checkSession: (member) => this.#checkSession(member),
        onSetBack: () => this.#held.releaseWaiting(),
      },
    );
    this.#journal = new OwnedJournal({
      lease,
      store: ports.journalStore(lease),
      fetchPack: (ref) => ports.archive.packs.get(ref),
      liveRuns: this.#liveRuns,
      checkpoints: ports.checkpoints,
      progress: this.#reconciler,
    });
    this.#archiver = new RunArchiver(ports.archive, this.#journal);
    this.#alarms = new RunAlarms(ports.timers, {
      ...ports,
      onScheduled: (runId) => this.#evict(runId),
      isOwner: () => this.#isOwner(),
    });
    this.#ready.promise.catch(() => {});
    this.#held = new HeldRuns(
      { ...ports, ...ports.held(lease.partition) },
      {
        partition: lease.partition,
        handle: (message) => this.#react(message),
        giveUp: (message, problem) => this.#deadLetter(message, problem),
        isBusy: (runId) => this.#inbox?.isBusy(runId) ?? true,
        isOwner: () => this.#isOwner(),
        verifyOwner: async () => (await this.#leases?.verify(lease)) ?? false,
      },
    );
    this.#steps = new LocalSteps(ports.clock, async (run, result) => {
      if (this.#isOwner()) await this.#enqueue(run, undefined, (actor) => actor.stepDone(result)).catch(() => {});
    });
  }

  /** Takes the inbox over and loads the live runs. */
  async start(leases: LeaseVerifier): Promise<void> {
    const lease = this.#lease;
    this.#leases = leases;
    const inbox = await this.#ports.takeOverInbox({
      leases,
      lease,
      concurrency: CONCURRENCY,
      handler: (message) => this.#handle(message),
      hold: (message, problem) => this.#hold(message, problem),
      onIdle: (runId) => this.#held.onIdle(runId),
      onDead: (message, problem) => this.#deadLetter(message, problem),
    });
    this.#inbox = inbox;
    void inbox.closed.then((reason) => {
      if (!this.#stopped) this.#ports.onInboxLost(lease, reason);
    });
    await this.#held.start();
    await this.#reconciler.prepare();
    this.#ready.resolve();
    const runs = [...(await this.#liveRuns.takeOver())];
    this.#archiver.start();
    const loadNext = async (): Promise<void> => {
      for (let run = runs.pop(); run && this.#isOwner(); run = runs.pop()) await this.#ensureLoaded(run);
    };
    await Promise.all(Array.from({ length: LOADS_AT_ONCE }, loadNext));
    this.#reconciler.start();
  }

  get runs(): number {
    return this.#actors.size;
  }

  /** Finishes running tasks, then releases everything. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#ready.reject(new Fenced(`partition ${this.#lease.partition}`));
    await this.#inbox?.stop();
    await this.#queue.whenDone();
    await this.#archiver.stop();
    await this.#liveRuns.save();
    await this.#reconciler.save();
    this.#releaseAll();
  }

  /** Stops immediately, because the partition has another owner. Nothing more is appended. */
  drop(): void {
    this.#stopped = true;
    this.#inbox?.pause();
    void this.#inbox?.stop({ graceMs: 0 });
    this.#releaseAll();
  }

  #releaseAll(): void {
    this.#ready.reject(new Fenced(`partition ${this.#lease.partition}`));
    this.#reconciler.stop();
    this.#held.stop();
    this.#steps.stop();
    this.#alarms.stop();
    this.#actors.clear();
  }

  /** Handles a message of the inbox. If earlier messages of its run are held, it is held, too. */
  async #handle(message: InboxMessage): Promise<void> {
    await this.#ready.promise;
    const address = parseInboxSubject(message.subject);
    if (address?.type === 'command.run.unpark') return this.#held.release(address);
    if (address && this.#held.holds(address, address.type)) return this.#hold(message, undefined);
    try {
      await this.#react(message);
      if (address && startsOrEnds(address.type)) this.#held.release(address);
    } catch (error) {
      const reason = holdReasonOf(error);
      // The submit of the run may be held.
      const isBehindHeld = address !== undefined && isRunUnknown(error) && this.#held.has(address);
      if (!reason && !isBehindHeld) throw error;
      await this.#hold(message, reason);
    }
  }

  /** @throws Fenced when the partition has another owner; ReinsError of the bus */
  async #hold(message: InboxMessage, reason: HoldReason): Promise<void> {
    await this.#ready.promise;
    const address = parseInboxSubject(message.subject);
    const isMoved = typeof reason === 'object' && reason.code === 'partition_moved';
    if (!address || isMoved || !this.#isOwner()) throw new Fenced(`partition ${this.#lease.partition}`);
    await this.#held.hold({ workspaceId: address.workspaceId, runId: address.runId }, message, reason);
  }

  /** @returns whether the run has ended */
  async #react(message: InboxMessage): Promise<boolean> {
    const { run, trigger } = await readTrigger(message, this.#ports.inline);
    // On the first delivery of a submit there is no journal to read.
    const isNew = trigger.body.type === 'command.run.submit' && message.deliveries === 1;
    let hasEnded = false;
    const react = async (actor: RunActor): Promise<void> => {
      await actor
        .react(trigger, () => message.clearPoisonSuspicion())
        .catch((error) => this.#unlessSubmitPending(run, error));
      hasEnded = actor.ended;
    };
    await this.#enqueue(run, trigger.id, react, isNew);
    return hasEnded;
  }

  /**
   * A redelivery can bring a message before the submit of its run. Then it waits for the submit.
   * @throws RunNotStarted, or the given error
   */
  async #unlessSubmitPending(run: RunAddress, error: unknown): Promise<never> {
    if (!isRunUnknown(error)) throw error;
    // A submit leaves the inbox after it was held, so it is not missed between the two checks.
    const isPending = (await this.#ports.isSubmitInInbox(run)) || this.#held.hasUntriedStart(run);
    throw isPending ? new RunNotStarted('the submission of the request has not been handled yet') : error;
  }

  /** Lets the run react to a dead letter: it must not wait for ever for what the message would have resolved. */
  async #deadLetter(message: InboxMessage, problem: Problem): Promise<void> {
    const read = await readTrigger(message, this.#ports.inline).catch(() => undefined);
    if (!read) return;
    const { run, trigger } = read;
    await this.#enqueue(run, trigger.id, (actor) => actor.giveUp(trigger, problem)).catch((error) => {
      // The run cannot be loaded, not even to end it. This is logged elsewhere. The message must still leave the inbox.
      if (!isPermanent(error)) throw error;
    });
    // A run that was waiting for this message has ended.
    this.#held.release(run);
  }

  /** Runs the task after the earlier tasks of the run. A failure rejects the returned promise only, not the queue. */
  #enqueue(
    run: RunAddress,
    cause: string | undefined,
    task: (actor: RunActor) => Promise<void>,
    isNew = false,
  ): Promise<void> {
    return this.#queue.add(run.runId, async () => {
      if (isNew && (await this.#startNewRun(run, task))) return;
      await this.#withActor(run, cause, task);
    });
  }

  /**
   * Starts a run without reading its journal. If the journal exists, the first append is fenced.
   * @returns false when the run has to be loaded instead
   */
  async #startNewRun(run: RunAddress, task: (actor: RunActor) => Promise<void>): Promise<boolean> {
    if (this.#actors.has(run.runId) || this.#reconciler.has(run) || !this.#isOwner()) return false;
    const actor = RunActor.fresh(this.#runPorts(run, true), run);
    try {
      await task(actor);
    } catch (error) {
      this.#alarms.forget(run.runId);
      if (error instanceof Fenced) return false;
      if (this.#isOwner()) this.#loadLater(run);
      throw error;
    }
    if (actor.ended || actor.state.head.version === 0) this.#unload(run.runId);
    else this.#actors.set(run.runId, actor);
    return true;
  }

  async #withActor(
    run: RunAddress,
    cause: string | undefined,
    task: (actor: RunActor) => Promise<void>,
  ): Promise<void> {
    if (!this.#isOwner()) throw new Fenced(run.runId);
    try {
      // What is in memory may lack a pause that the check has added.
      if (this.#reconciler.has(run) && (await this.#reconciler.check(run, !this.#actors.has(run.runId))))
        this.#unload(run.runId);
      const actor = this.#actors.get(run.runId) ?? (await this.#load(run, cause));
      this.#actors.set(run.runId, actor);
      const known = actor.state.processError;
      await task(actor);
      const { processError } = actor.state;
      if (processError && processError !== known)
        this.#ports.log.warn({ problem: processError.error, ...run }, 'process failed');
      this.#alarms.succeeded(run.runId);
      if (actor.ended || actor.state.head.version === 0) this.#unload(run.runId);
    } catch (error) {
      // Thrown before the actor has changed anything.
      if (isSignalsFull(error)) throw error;
      this.#unload(run.runId);
      if (this.#isOwner()) this.#loadLater(run);
      throw error;
    }
  }

  async #load(run: RunAddress, cause: string | undefined): Promise<RunActor> {
    const actor = await RunActor.load(this.#runPorts(run), run, cause);
    if (actor.corruption)
      this.#ports.log.error({ err: actor.corruption, ...run }, 'run ended because its journal is corrupted');
    return actor;
  }

  /** @param isNew whether no message of the run was handled before */
  #runPorts(run: RunAddress, isNew = false): RunPorts {
    return {
      ...this.#ports.run,
      journal: this.#journal,
      alarm: (timer) => {
        if (this.#isOwner()) this.#alarms.set(run.runId, timer);
      },
      // Its alarm may go off while the run ends, so it is cancelled first.
      clearTimers: async () => {
        const hasScheduled = await this.#alarms.end(run.runId);
        if (hasScheduled || !isNew) await this.#ports.timers.clear(run);
      },
      runStep: (step) => this.#steps.start(run, step),
    };
  }

  /** Removes a quiescent run from memory. Its timer, or the next message for it, loads it again. */
  #evict(runId: string): void {
    if (!this.#queue.has(runId) && this.#actors.get(runId)?.isQuiescent) this.#unload(runId);
  }

  /** Loads a failed run again later, because its deadlines are kept in memory only. */
  #loadLater(run: RunAddress): void {
    this.#alarms.retry(run.runId, () => void this.#ensureLoaded(run));
  }

  /** Loads the run for its deadlines. Retries until it is loaded or the partition is lost. */
  async #ensureLoaded(run: RunAddress): Promise<void> {
    await this.#enqueue(run, undefined, async () => {}).catch((error) => {
      if (error instanceof Fenced) return;
      if (!isPermanent(error)) return this.#ports.log.warn({ err: error, ...run }, 'run not loaded, retrying');
      this.#alarms.succeeded(run.runId);
      this.#alarms.clear(run.runId);
      this.#ports.log.error({ err: error, ...run }, 'run not loaded');
    });
  }

  /** Compares the facts of a run with its journal. Loads the run if that changed it. A failure is tried again later. */
  async #checkRun(run: RunAddress): Promise<void> {
    let isChanged = false;
    await this.#queue
      .add(run.runId, async () => {
        if (!this.#isOwner()) return;
        isChanged = await this.#reconciler.check(run, false);
        if (isChanged) this.#unload(run.runId);
      })
      .catch((error) => {
        if (!(error instanceof Fenced)) this.#ports.log.warn({ err: error, ...run }, 'facts not compared, retrying');
      });
    if (isChanged) await this.#ensureLoaded(run);
  }

  /** Releases a session whose running request has no run or has ended, or starts the request again. */
  #checkSession(member: RunningMember): Promise<void> {
    const run = { workspaceId: member.workspaceId, runId: member.requestId };
    return this.#queue.add(run.runId, async () => {
      if (!this.#isOwner() || this.#journal.isLive(run)) return;
      // Its submit will enter the session again, or has just done it.
      const isStarting = this.#held.hasUntriedStart(run) || (await this.#ports.isSubmitInInbox(run));
      if (!isStarting)
        await reconcileSession({ ...this.#ports.reconciler, log: this.#ports.log }, this.#journal, member);
    });
  }

  #isOwner(): boolean {
    return !this.#stopped && this.#lease.valid;
  }

  #unload(runId: string): void {
    this.#actors.delete(runId);
    this.#alarms.forget(runId);
  }
}

const isRunUnknown = (error: unknown): boolean => isReinsError(error) && error.code === 'run_unknown';
