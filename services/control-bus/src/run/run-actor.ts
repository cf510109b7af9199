import { crashPoint } from '@reins/bus';
import { type AnyEvent, type EventOf, type Problem, ReinsError, type RunAddress } from '@reins/contracts';
import {
  applyEntry,
  type EffectState,
  type Emission,
  type Entry,
  type EntryDraft,
  emptyRun,
  factsOf,
  foldRun,
  isEnded,
  type LoadedJournal,
  type Position,
  pendingEffects,
  type RunState,
  sealEntries,
} from '@reins/journal';
import { cancelRequested, endCancelled, type ProcessWants } from './cancel.ts';
import { createRun } from './create-run.ts';
import { type Deadline, deadlinesOf } from './deadlines.ts';
import { decide } from './decide.ts';
import { failedTrigger } from './failed-trigger.ts';
import type { RunPorts } from './run-ports.ts';
import { RunProcess } from './run-process.ts';
import type { Trigger } from './trigger.ts';

/**
 * Thrown when somebody else appended to the run, or may do so: whoever holds this actor drops it. It is no fault of the message
 * that was handled, which is for the run's next owner.
 */
export class Fenced extends ReinsError {
  constructor(runId: string) {
    super({ code: 'partition_moved', message: 'the run has another owner now', path: runId });
  }
}

/**
 * One run in its owner's memory: its folded state and its process. Takes one trigger at a time; each reaction is decided,
 * appended, told, and only then done. An actor that threw is not used again.
 */
export class RunActor {
  readonly #ports: RunPorts;
  readonly #state: RunState;
  #position: Position;
  readonly #process: RunProcess;

  private constructor(ports: RunPorts, state: RunState, position: Position) {
    this.#ports = ports;
    this.#state = state;
    this.#position = position;
    this.#process = new RunProcess(ports, state);
  }

  /**
   * Brings a run into memory: folds its journal, replays its process, and does again what follows from its last commit, because
   * the owner before may have died between appending and telling. What follows from earlier commits is done: the next commit
   * is appended only after it.
   */
  static async load(ports: RunPorts, run: RunAddress, cause?: string): Promise<RunActor> {
    const journal = await ports.journal.load(run);
    const state = foldRun(run, journal.entries);
    const actor = new RunActor(ports, state, journal.position);
    await ports.teller.tell(lastCommitFacts(run, journal), cause);
    const owed = journal.entries.length > 0 ? await actor.#process.replay(journal.entries) : [];
    await actor.#inform(lastCommit(journal));
    await actor.#commit(owed, undefined);
    actor.#setAlarm();
    return actor;
  }

  get state(): Readonly<RunState> {
    return this.#state;
  }

  get ended(): boolean {
    return isEnded(this.#state);
  }

  /**
   * The whole reaction to a trigger. When it resolves, everything is durable and told.
   * @throws Fenced, or ReinsError `journal_unavailable` and the bus's own
   */
  async react(trigger: Trigger): Promise<void> {
    const drafts = this.#state.head.version === 0 ? await this.#begin(trigger.body) : this.#decide(trigger);
    await this.#commit(drafts, trigger.id);
    if (trigger.body.type === 'timer.due') this.#setAlarm();
    crashPoint('trigger.handled');
  }

  /** The reaction to a trigger that could not be handled: what waits for it must not wait for ever. */
  async giveUp(trigger: Trigger, problem: Problem): Promise<void> {
    const { head } = this.#state;
    const begun = head.version > 0 || trigger.body.type !== 'command.run.submit';
    const drafts = begun ? failedTrigger(this.#state, trigger, problem) : this.#stillborn(trigger.body, problem);
    await this.#commit(drafts, trigger.id);
  }

  /** A request whose run cannot even begin still gets its end. */
  #stillborn(body: AnyEvent, { code, message }: Problem): EntryDraft[] {
    if (body.type !== 'command.run.submit') return [];
    const failed: EntryDraft = { type: 'RUN_FAILED', data: { error: { code, message } } };
    return [...createRun(body, { ...this.#ports.defaults(), session: {} }), failed];
  }

  /** A timer may come early, by another clock or because its deadline has moved since. */
  #decide(trigger: Trigger): EntryDraft[] {
    const { body } = trigger;
    if (body.type === 'timer.due' && !this.#isDue(body)) return [];
    return decide(this.#state, trigger, {
      answerBy: this.#answerBy(),
      waitsFor: (effectId) => this.#process.waitsFor(effectId),
    });
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
    return deadlinesOf(this.#state, this.#ports.cancelGraceMs);
  }

  #answerBy(): string {
    return new Date(this.#ports.clock.now().getTime() + this.#ports.answerWithinMs).toISOString();
  }

  /** A new run waits for its session's turn; one that is cancelled while it waits gets a journal just to end in it. */
  async #begin(body: AnyEvent): Promise<EntryDraft[]> {
    const { sessions, defaults } = this.#ports;
    if (body.type === 'command.run.submit') {
      const entered = await sessions.enter(body);
      if (entered.now === 'queued') return [];
      if (entered.now === 'running') return createRun(body, { ...defaults(), session: entered.session });
      return [...createRun(body, { ...defaults(), session: {} }), QUEUE_FULL];
    }
    const submit = body.type === 'command.run.cancel' ? await sessions.waiting(body) : undefined;
    if (body.type !== 'command.run.cancel' || !submit) throw unknownRun(this.#state.run, body.type);
    return [
      ...createRun(submit, { ...defaults(), session: {} }),
      ...cancelRequested(this.#state, body),
      endCancelled(body.reason),
    ];
  }

  /** Seals, asks the process what follows, appends all of it as one commit, tells it. */
  async #commit(drafts: readonly EntryDraft[], cause: string | undefined): Promise<void> {
    if (drafts.length === 0) return;
    const entries: Entry[] = [];
    const emissions: Emission[] = [];
    const recordedAt = this.#ports.clock.now().toISOString();
    let wave: readonly EntryDraft[] = drafts;
    while (wave.length > 0) {
      const sealed = sealEntries(this.#state.head, wave, recordedAt);
      for (const entry of sealed) {
        applyEntry(this.#state, entry);
        emissions.push(...factsOf(this.#state, entry));
      }
      entries.push(...sealed);
      wave = await this.#process.advance(sealed);
    }
    const appended = await this.#ports.journal.append(
      this.#state.run,
      { entries, epoch: this.#ports.epoch() },
      this.#position,
    );
    if (appended.outcome === 'fenced') throw new Fenced(this.#state.run.runId);
    crashPoint('commit.appended');
    this.#position = appended.position;
    await this.#ports.teller.tell(emissions, cause);
    crashPoint('facts.told');
    await this.#afterCommit(entries);
  }

  async #afterCommit(entries: readonly Entry[]): Promise<void> {
    await this.#inform(entries);
    this.#setAlarm();
  }

  /** What others must learn of a commit, beside its facts. Done again, it changes nothing. */
  async #inform(entries: readonly Entry[]): Promise<void> {
    const { controls, sessions } = this.#ports;
    for (const entry of entries) {
      if (entry.type === 'EFFECT_ATTEMPT_FAILED') await controls.clear(entry.data.effectId);
      for (const effectId of stagesToStop(this.#state, entry, this.#process))
        await controls.send(effectId, { id: 'cancel', kind: 'cancel' });
      if (entry.type === 'EFFECT_ANSWERED') {
        await controls.send(entry.data.effectId, { id: entry.hash, kind: 'answer', body: entry.data.answer });
      }
    }
    if (!isEnded(this.#state)) return;
    this.#process.forget();
    await sessions.leave(this.#state);
  }

  #setAlarm(): void {
    const [next] = this.#deadlines().sort((a, b) => a.due - b.due);
    this.#ports.alarm(next && { due: next.due, body: this.#timerDue(next) });
  }

  #timerDue({ effectId, attempt, timer }: Deadline): EventOf<'timer.due'> {
    const { run, sessionId, agentId } = this.#state;
    const head = { requestId: run.runId, sessionId, agentId, workspaceId: run.workspaceId };
    return { type: 'timer.due', ...head, effectId, attempt, timer };
  }
}

/**
 * The stages whose hosts must stop because of an entry: those that were cancelled, also by somebody's wish, and one whose
 * result did not come from its host. A host that takes the work only later finds the order and does not begin.
 */
function stagesToStop(state: RunState, entry: Entry, process: ProcessWants): string[] {
  if (entry.type === 'RUN_CANCEL_REQUESTED')
    return stageIds(pendingEffects(state).filter(({ effectId }) => !process.waitsFor(effectId)));
  const failed = entry.type === 'EFFECT_RESOLVED' && entry.data.status === 'error';
  if (!failed && entry.type !== 'EFFECT_CANCELLED') return [];
  const effect = state.effects.get(entry.data.effectId);
  return effect ? stageIds([effect]) : [];
}

const stageIds = (effects: readonly EffectState[]): string[] =>
  effects.filter(({ kind }) => kind === 'stage').map(({ effectId }) => effectId);

const QUEUE_FULL: EntryDraft = {
  type: 'RUN_FAILED',
  data: {
    error: { code: 'session_queue_full', message: 'too many requests of this session wait already', path: 'sessionId' },
  },
};

const unknownRun = (run: RunAddress, type: string): ReinsError =>
  new ReinsError({ code: 'run_unknown', message: `there is no run ${run.runId}`, path: type });

const lastCommit = ({ entries, lastCommitSize }: LoadedJournal): readonly Entry[] =>
  entries.slice(entries.length - lastCommitSize);

/** The facts of the journal's last commit, with the state that each entry left behind. */
function lastCommitFacts(run: RunAddress, { entries, lastCommitSize }: LoadedJournal): Emission[] {
  const state = emptyRun(run);
  const from = entries.length - lastCommitSize;
  return entries.flatMap((entry, index) => {
    applyEntry(state, entry);
    return index < from ? [] : factsOf(state, entry);
  });
}
