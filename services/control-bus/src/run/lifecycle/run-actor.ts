import { crashPoint } from '@reins/bus';
import { type CommandRunSubmit, type EventOf, type Problem, type RunAddress } from '@reins/contracts';
import {
  applyEntry,
  asCorruptedJournal,
  type CommitEnd,
  CorruptedJournalError,
  type EffectState,
  type Emission,
  type Entry,
  type EntryDraft,
  effectKind,
  emptyRun,
  factsOf,
  isEnded,
  type Position,
  pendingEffects,
  type RunState,
  sealEntries,
} from '@reins/journal';
import { type Deadline, deadlinesOf } from '../decide/deadlines.ts';
import { decide, failedTrigger } from '../decide/decide.ts';
import type { Trigger } from '../decide/trigger.ts';
import { cancelAbandonedEffects, type FollowUp, followUpsOf } from '../publish/follow-ups.ts';
import { publishFacts } from '../publish/publish-facts.ts';
import type { DueTimer, RunPorts } from '../run-ports.ts';
import { assigned } from './assign.ts';
import { endCorruptedRun, foldCorruptedRun, unpublishedFacts } from './corrupted-run.ts';
import { hasLargeValue, offloadLargeValue, withDraftedValue } from './large-values.ts';
import { applyWithReaction, entryForState, foldWithReaction, type Reaction } from './reaction.ts';
import { Fenced } from './run-errors.ts';
import { RunProcess } from './run-process.ts';
import { StartDeadlines } from './start-deadlines.ts';
import { startFork } from './start-fork.ts';
import { rejectedRun, startRun } from './start-run.ts';

/**
 * One run in its owner's memory: its folded state and its process. It handles one trigger at a time: decide, append the
 * commit, publish its facts, run its follow-ups. An actor that threw must not be used again.
 */
export class RunActor {
  readonly #ports: RunPorts;
  readonly #state: RunState;
  #position: Position;
  /** The last entry in the journal; undefined when there is none that can be read. */
  #end: CommitEnd | undefined;
  /** Called when the current reaction is durable. */
  #onDurable: (() => Promise<void>) | undefined;
  readonly #process: RunProcess;
  readonly #startDeadlines: StartDeadlines;
  #corruption: CorruptedJournalError | undefined;

  private constructor(ports: RunPorts, state: RunState, position: Position, end?: CommitEnd) {
    this.#ports = ports;
    this.#state = state;
    this.#position = position;
    this.#end = end;
    this.#process = new RunProcess(ports, state);
    this.#startDeadlines = new StartDeadlines(ports, state.run);
  }

  /**
   * Loads a run: folds its journal and replays its process. Repeats the facts and follow-ups of its last commit, because
   * the previous owner may have crashed before they were done, unless this owner has done them. Those of earlier commits
   * are done, because each commit waits for them.
   */
  static async load(ports: RunPorts, run: RunAddress, cause?: string): Promise<RunActor> {
    const journal = await ports.journal.load(run).catch(asCorruptedJournal);
    if (journal instanceof CorruptedJournalError) return RunActor.#loadCorrupted(ports, journal, cause);
    // A paused process may not know that there is a newer owner. The journal's epoch shows it.
    if ((journal.epoch ?? 0) > ports.journal.epoch) throw new Fenced(run.runId);
    const { state, emissions, followUps } = await foldWithReaction(ports, run, journal);
    const actor = new RunActor(ports, state, journal.position, journal.entries.at(-1));
    const isSettled = ports.journal.isSettled(run, state.head.version);
    // The event log recognises a repeated fact for two minutes only, so a run that slept longer must not repeat it.
    if (!isSettled) await publishFacts(ports, state, emissions, cause, { again: true });
    const pendingDrafts = await actor.#process.replay(journal.entries);
    if (!isSettled) await actor.#runFollowUps(followUps);
    await actor.#commit(pendingDrafts, undefined);
    actor.#settle();
    return actor;
  }

  /** Ends a run whose journal is corrupted, or, if it has ended, repeats what follows from its end. */
  static async #loadCorrupted(
    ports: RunPorts,
    damaged: CorruptedJournalError,
    cause: string | undefined,
  ): Promise<RunActor> {
    const { run, validPrefix } = damaged;
    if ((validPrefix.epoch ?? 0) > ports.journal.epoch) throw new Fenced(run.runId);
    const corrupted = foldCorruptedRun(damaged);
    const { state } = corrupted;
    const actor = new RunActor(ports, state, validPrefix.position, damaged.last);
    actor.#corruption = damaged;
    if (isEnded(state)) {
      await ports.factPublisher.publish(await unpublishedFacts(ports, corrupted), cause, { again: true });
      await actor.#runFollowUps(corrupted.followUps);
    } else await actor.#append(await endCorruptedRun(ports, state, damaged), cause);
    actor.#settle();
    return actor;
  }

  /** An actor for a run without a journal. If the journal exists, the first append is fenced. */
  static fresh(ports: RunPorts, run: RunAddress): RunActor {
    return new RunActor(ports, emptyRun(run), 0);
  }

  get state(): Readonly<RunState> {
    return this.#state;
  }

  /** The corruption of its journal, if any. Such a run has been ended. */
  get corruption(): CorruptedJournalError | undefined {
    return this.#corruption;
  }

  get ended(): boolean {
    return isEnded(this.#state);
  }

  /** Whether nothing happens before the next message or timer, so that the run may leave memory. */
  get isQuiescent(): boolean {
    const { paused, processError, waiting } = this.#state;
    if (paused || processError || waiting.size > 0) return !this.#process.hasRunningSteps;
    return pendingEffects(this.#state).every(({ kind }) => effectKind(kind).resolvedBy === 'post');
  }

  /**
   * Handles a trigger. Resolves when the commit is durable, its facts are published and its follow-ups are done.
   * @param onDurable called when the trigger is in the journal, before its facts are published: a redelivery finds it there
   * @throws Fenced, or ReinsError `journal_unavailable` or one of the bus
   */
  async react(trigger: Trigger, onDurable?: () => Promise<void>): Promise<void> {
    const { body, id } = trigger;
    this.#onDurable = onDurable;
    if (this.#state.head.version > 0) await this.#commit(await this.#decide(trigger), id);
    else if (body.type === 'command.run.submit' && body.fork) await this.#fork(body, id);
    else await this.#commit(await startRun(this.#ports, this.#state, body), id);
    this.#onDurable = undefined;
    this.#settle();
    crashPoint('trigger.handled');
  }

  /** Records the result of a local step. The attempt is that of the state, which counts attempts before an invalidation. */
  async stepDone({ type, data }: EntryDraft<'EFFECT_RESOLVED' | 'EFFECT_ATTEMPT_FAILED'>): Promise<void> {
    const effect = this.#state.effects.get(data.effectId);
    if (!effect || !this.#state.pending.has(data.effectId)) return;
    const { attempt } = effect;
    const again = type === 'EFFECT_ATTEMPT_FAILED' ? { nextAttempt: attempt + 1 } : {};
    await this.#commit([{ type, data: { ...data, attempt, ...again } } as EntryDraft], undefined);
    this.#settle();
  }

  /** Reacts to a trigger that is dead-lettered: fails the effect that it answers, or the run that it submits. */
  async giveUp(trigger: Trigger, problem: Problem): Promise<void> {
    const { body } = trigger;
    const hasStarted = this.#state.head.version > 0 || body.type !== 'command.run.submit';
    const drafts = hasStarted
      ? failedTrigger(this.#state, trigger, problem)
      : rejectedRun(this.#ports, body, { code: problem.code, message: problem.message });
    await this.#commit(drafts, trigger.id);
    this.#settle();
  }

  /** Ignores a timer that is early by our clock, or whose deadline has moved. */
  async #decide(trigger: Trigger): Promise<EntryDraft[]> {
    const { body } = trigger;
    // Not pure: it has to look up the process.
    if (body.type === 'command.run.assign') return assigned(this.#ports, this.#state, body);
    if (body.type === 'timer.due' && !this.#isDue(body)) return [];
    const unclaimed = body.type === 'timer.due' ? this.#unclaimedAttempt(body) : undefined;
    const startDeadline = unclaimed && (await this.#startDeadlines.passed(unclaimed));
    return decide(this.#state, trigger, {
      ...(startDeadline && { startDeadline }),
      answerBy: this.#answerBy(),
      waitsFor: (effectId) => this.#process.waitsFor(effectId),
    });
  }

  /** The attempt of a start deadline, unless a host has reported its claim. */
  #unclaimedAttempt({ effectId, attempt, timer }: EventOf<'timer.due'>): EffectState | undefined {
    const effect = this.#state.effects.get(effectId);
    return timer === 'start' && effect?.status === 'requested' && effect.attempt === attempt ? effect : undefined;
  }

  #isDue({ effectId, attempt, timer }: EventOf<'timer.due'>): boolean {
    const now = this.#ports.clock.now().getTime();
    return this.#deadlines().some(
      (deadline) =>
        deadline.effectId === effectId &&
        deadline.attempt === attempt &&
        deadline.timer === timer &&
        deadline.due <= now,
    );
  }

  #deadlines(): Deadline[] {
    return deadlinesOf(this.#state, this.#ports.cancelGraceMs, this.#startDeadlines.extended);
  }

  #answerBy(): string {
    return new Date(this.#ports.clock.now().getTime() + this.#ports.answerWithinMs).toISOString();
  }

  /** Seals the drafts, advances the process until it adds no more, and appends everything as one commit. */
  async #commit(drafts: readonly EntryDraft[], cause: string | undefined): Promise<void> {
    if (drafts.length === 0) return;
    const entries: Entry[] = [];
    const emissions: Emission[] = [];
    const followUps: FollowUp[] = [];
    const recordedAt = this.#ports.clock.now().toISOString();
    let nextDrafts: readonly EntryDraft[] = drafts;
    while (nextDrafts.length > 0) {
      const storable = nextDrafts.some(hasLargeValue)
        ? await Promise.all(nextDrafts.map((draft) => offloadLargeValue(draft, this.#ports.values)))
        : nextDrafts;
      const sealed = sealEntries(this.#state.head, storable, recordedAt);
      const complete = sealed.map((entry, index) => withDraftedValue(entry, nextDrafts[index]));
      complete.forEach((entry, index) => {
        applyEntry(this.#state, entryForState(entry, sealed[index]));
        emissions.push(...factsOf(this.#state, entry));
        followUps.push(...followUpsOf(this.#state, entry));
      });
      entries.push(...sealed);
      nextDrafts = await this.#process.advance(complete);
    }
    await this.#append({ entries, emissions, followUps }, cause);
  }

  /** Starts a fork: appends the shared entries, then the process continues from there. */
  async #fork(command: CommandRunSubmit, cause: string): Promise<void> {
    const start = await startFork(this.#ports, this.#state, command);
    if ('drafts' in start) return this.#commit(start.drafts, cause);
    const reaction: Reaction = { entries: start.shared, emissions: [], followUps: [] };
    for (const entry of start.shared) await applyWithReaction(this.#ports, this.#state, entry, reaction);
    await this.#append(reaction, cause);
  }

  async #append({ entries, emissions, followUps }: Reaction, cause: string | undefined): Promise<void> {
    const commit = { entries, epoch: this.#ports.journal.epoch };
    const appended = await this.#ports.journal.append(this.#state.run, commit, this.#position);
    if (appended.outcome === 'fenced') throw new Fenced(this.#state.run.runId);
    this.#process.committed();
    if (this.#onDurable) await this.#onDurable();
    this.#onDurable = undefined;
    crashPoint('commit.appended');
    this.#position = appended.position;
    this.#end = entries.at(-1);
    // Most commits record a step, which has no facts.
    if (emissions.length > 0) await publishFacts(this.#ports, this.#state, emissions, cause);
    crashPoint('facts.published');
    // The follow-ups depend on what the process waits for, and must be done before the next commit.
    const pendingDrafts = this.#process.isBehind ? await this.#replay() : [];
    if (followUps.length > 0 || this.ended) await this.#runFollowUps(followUps);
    if (pendingDrafts.length > 0) await this.#commit(pendingDrafts, undefined);
  }

  /** Replays a process that lags behind the journal. Returns its pending drafts. */
  async #replay(): Promise<readonly EntryDraft[]> {
    const { entries } = await this.#ports.journal.load(this.#state.run);
    return this.#process.replay(entries);
  }

  /** Starts due local steps and sets the alarm. */
  #settle(): void {
    for (const step of this.#process.takeSteps()) this.#ports.runStep(step);
    if (this.#end) this.#ports.journal.settled(this.#state.run, this.#end);
    this.#setAlarm();
  }

  /** Runs the follow-ups of a commit. Idempotent. */
  async #runFollowUps(followUps: readonly FollowUp[]): Promise<void> {
    const { controls, post, sessions } = this.#ports;
    const all = followUps.flatMap((one) =>
      one.kind === 'cancel-abandoned-effects' ? cancelAbandonedEffects(this.#state, this.#process) : [one],
    );
    for (const one of all) {
      if (one.kind === 'send-control') await controls.send(one.effectId, one.control);
      else if (one.kind === 'clear-controls') await controls.clear(one.effectId);
      else if (one.kind === 'post-message') await post(one.id, one.body);
    }
    if (!isEnded(this.#state)) return;
    this.#process.discard();
    await this.#ports.clearTimers();
    if (!this.#state.parent) await sessions.leave(this.#state);
  }

  #setAlarm(): void {
    const [next] = this.#deadlines().sort((a, b) => a.due - b.due);
    this.#ports.alarm(next && { due: next.due, body: this.#timerDue(next), ...this.#quiescentVersion() });
  }

  #quiescentVersion(): Pick<DueTimer, 'version'> {
    return this.isQuiescent ? { version: this.#state.head.version } : {};
  }

  #timerDue({ effectId, attempt, timer }: Deadline): EventOf<'timer.due'> {
    const { run, sessionId, agentId } = this.#state;
    const head = { requestId: run.runId, sessionId, agentId, workspaceId: run.workspaceId };
    return { type: 'timer.due', ...head, effectId, attempt, timer };
  }
}
