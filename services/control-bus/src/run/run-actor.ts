import { type AnyEvent, type EventOf, ReinsError, type RunAddress } from '@reins/contracts';
import {
  applyEntry,
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
import { Coroutine, type ProcessDefinition } from '@reins/replay';
import { definitionFor } from '../processes/built-in-process.ts';
import { cancelRequested } from './cancel.ts';
import { createRun } from './create-run.ts';
import { deadlinesOf } from './deadlines.ts';
import { decide } from './decide.ts';
import type { RunPorts } from './run-ports.ts';
import type { Trigger } from './trigger.ts';

/** Thrown when somebody else appended to the run: whoever holds this actor drops it and looks at its lease. */
export class Fenced extends Error {}

/**
 * One run in its owner's memory: its folded state and its process. Takes one trigger at a time; each reaction is decided,
 * appended, told, and only then done. An actor that threw is not used again.
 */
export class RunActor {
  readonly #ports: RunPorts;
  readonly #state: RunState;
  #position: Position;
  #coroutine: Coroutine | undefined;

  private constructor(ports: RunPorts, state: RunState, position: Position) {
    this.#ports = ports;
    this.#state = state;
    this.#position = position;
  }

  /**
   * Brings a run into memory: folds its journal, replays its process, and tells the facts of its last commit again, because
   * the owner before may have died between appending and telling. Facts of earlier commits are out: the next commit is
   * appended only after them.
   */
  static async load(ports: RunPorts, run: RunAddress, cause?: string): Promise<RunActor> {
    const journal = await ports.journal.load(run);
    const state = foldRun(run, journal.entries);
    const actor = new RunActor(ports, state, journal.position);
    await ports.teller.tell(lastCommitFacts(run, journal), cause);
    if (journal.entries.length > 0 && !isEnded(state) && !state.cancelRequested) await actor.#replay(journal.entries);
    if (isEnded(state)) await actor.#afterEnd();
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
    const drafts =
      this.#state.head.version === 0 ? await this.#begin(trigger.body) : decide(this.#state, trigger, this.#answerBy());
    await this.#commit(drafts, trigger.id);
    await this.#afterTrigger(trigger.body);
  }

  #answerBy(): string {
    return new Date(this.#ports.clock.now().getTime() + this.#ports.answerWithinMs).toISOString();
  }

  /** Brings the process to where the journal left it, and records what it still owes. */
  async #replay(entries: readonly Entry[]): Promise<void> {
    const { coroutine, turn } = await Coroutine.replay(this.#definition(), {
      run: this.#state.run,
      entries,
      replayedAt: this.#ports.clock.now().toISOString(),
    });
    this.#coroutine = coroutine;
    await this.#commit(turn.drafts, undefined);
  }

  #definition(): ProcessDefinition {
    return definitionFor(this.#ports.processOf(this.#state.process.id), this.#state);
  }

  /** Every deadline that has passed, each as the timer it is. */
  async wake(): Promise<void> {
    const now = this.#ports.clock.now().getTime();
    const due = deadlinesOf(this.#state, this.#ports.cancelGraceMs).filter((deadline) => deadline.due <= now);
    for (const { effectId, attempt, timer } of due) {
      const id = `${this.#state.run.runId}.${effectId}.${timer}.${attempt}`;
      const head = {
        requestId: this.#state.run.runId,
        sessionId: this.#state.sessionId,
        agentId: this.#state.agentId,
        workspaceId: this.#state.run.workspaceId,
      };
      const body: EventOf<'timer.due'> = { type: 'timer.due', ...head, effectId, attempt, timer };
      await this.react({ id, body });
    }
    this.#setAlarm();
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
    const submit = body.type === 'command.run.cancel' ? await sessions.leaveQueue(body) : undefined;
    if (body.type !== 'command.run.cancel' || !submit) throw unknownRun(this.#state.run, body.type);
    return [...createRun(submit, { ...defaults(), session: {} }), ...cancelRequested(this.#state, body)];
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
      wave = await this.#consequences(sealed);
    }
    const appended = await this.#ports.journal.append(
      this.#state.run,
      { entries, epoch: this.#ports.epoch() },
      this.#position,
    );
    if (appended.outcome === 'fenced') throw new Fenced(this.#state.run.runId);
    this.#position = appended.position;
    await this.#ports.teller.tell(emissions, cause);
    await this.#afterCommit(entries);
  }

  /** What the process does next. A run that is being cancelled asks for nothing more. */
  async #consequences(entries: readonly Entry[]): Promise<readonly EntryDraft[]> {
    if (isEnded(this.#state) || this.#state.cancelRequested) return [];
    this.#coroutine ??= Coroutine.start(this.#definition(), { run: this.#state.run });
    return (await this.#coroutine.advance(entries)).drafts;
  }

  /** What others must learn of a commit, beside its facts. */
  async #afterCommit(entries: readonly Entry[]): Promise<void> {
    for (const entry of entries) {
      if (entry.type === 'EFFECT_CANCELLED') await this.#orderCancel(entry.data.effectId);
      if (entry.type === 'EFFECT_ATTEMPT_FAILED') await this.#ports.controls.clear(entry.data.effectId);
    }
    if (isEnded(this.#state)) await this.#afterEnd();
    this.#setAlarm();
  }

  async #afterTrigger(body: AnyEvent): Promise<void> {
    if (body.type === 'command.run.cancel') {
      for (const { effectId } of pendingEffects(this.#state)) await this.#orderCancel(effectId);
    }
    if (body.type === 'command.run.answer' && this.#state.effects.get(body.effectId)?.status === 'started') {
      await this.#ports.controls.send(body.effectId, { id: body.idempotencyKey, kind: 'answer', body: body.answer });
    }
  }

  /** Only stages have a host that listens. A host that takes the work later finds the order and does not begin. */
  async #orderCancel(effectId: string): Promise<void> {
    if (this.#state.effects.get(effectId)?.kind === 'stage')
      await this.#ports.controls.send(effectId, { id: 'cancel', kind: 'cancel' });
  }

  async #afterEnd(): Promise<void> {
    this.#coroutine = undefined;
    await this.#ports.sessions.leave(this.#state);
  }

  #setAlarm(): void {
    const due = deadlinesOf(this.#state, this.#ports.cancelGraceMs).map((deadline) => deadline.due);
    this.#ports.alarm(due.length > 0 ? Math.min(...due) : undefined);
  }
}

const QUEUE_FULL: EntryDraft = {
  type: 'RUN_FAILED',
  data: {
    error: { code: 'session_queue_full', message: 'too many requests of this session wait already', path: 'sessionId' },
  },
};

const unknownRun = (run: RunAddress, type: string): ReinsError =>
  new ReinsError({ code: 'run_unknown', message: `there is no run ${run.runId}`, path: type });

/** The facts of the journal's last commit, with the state that each entry left behind. */
function lastCommitFacts(run: RunAddress, { entries, lastCommitSize }: LoadedJournal): Emission[] {
  const state = emptyRun(run);
  const from = entries.length - lastCommitSize;
  return entries.flatMap((entry, index) => {
    applyEntry(state, entry);
    return index < from ? [] : factsOf(state, entry);
  });
}
