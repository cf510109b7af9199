import { type ErrorInfo, isReinsError } from '@reins/contracts';
import {
  BARE_RUN,
  type Entry,
  type EntryDraft,
  effectKind,
  isEnded,
  pendingEffects,
  type RunState,
} from '@reins/journal';
import {
  type DueStep,
  errorInfoOf,
  OPERATOR_GRACE_MS,
  type ProcessRunner,
  type RunnerOptions,
  type RunningProcess,
  runtimeError,
  type Turn,
} from '@reins/replay';
import { PROCESS_START_ERRORS, runnerOf } from '../../processes/runner-of.ts';
import { continueCancellation, type ProcessView } from '../decide/cancel.ts';
import { refusedHooks } from '../decide/refused-hooks.ts';
import type { RunPorts } from '../run-ports.ts';

type Ports = Pick<RunPorts, 'processOf' | 'authored' | 'clock' | 'values' | 'journal'>;

/** The process of a run in its owner's memory: its decisions, what it waits for, and its due local steps. */
export class RunProcess implements ProcessView {
  readonly #ports: Ports;
  readonly #state: RunState;
  #running: RunningProcess | undefined;
  #turnState: Turn['state'] = 'waiting';
  #steps: DueStep[] = [];
  /** The data of its own decisions, which are not fed back to it. */
  readonly #ownDecisions = new WeakSet<object>();
  /** The entries of the current commit that the process has seen. */
  #seen: Entry[] = [];

  constructor(ports: Ports, state: RunState) {
    this.#ports = ports;
    this.#state = state;
  }

  get hasEnded(): boolean {
    return !this.#running || this.#isBare || this.#turnState !== 'waiting';
  }

  waitsFor(effectId: string): boolean {
    return this.#running?.waitsFor(effectId) ?? false;
  }

  get hasRunningSteps(): boolean {
    return pendingEffects(this.#state).some(
      ({ kind, effectId }) => effectKind(kind).resolvedBy === 'owner' && this.waitsFor(effectId),
    );
  }

  /** It must be replayed before the run can continue. */
  get isBehind(): boolean {
    return !this.#running && this.#state.head.version > 0 && !this.#isSuspended();
  }

  get #isBare(): boolean {
    return this.#state.process.id === BARE_RUN;
  }

  /** The process of an ended or paused run is not advanced. */
  #isSuspended(): boolean {
    return isEnded(this.#state) || this.#state.paused !== undefined;
  }

  /** Advances the process with applied entries, and returns its next drafts. Returns none while it must be replayed. */
  async advance(entries: readonly Entry[]): Promise<readonly EntryDraft[]> {
    if (this.#isSuspended() || entries.some((entry) => this.#needsReplay(entry))) this.discard();
    if (this.#isSuspended()) return [];
    if (entries[0]?.version === 1) this.#running = await (await this.#runner()).start(this.#options());
    if (!this.#running) return [];
    const newEntries = entries.filter(({ data }) => !this.#ownDecisions.has(data));
    this.#seen.push(...entries.filter(({ data }) => this.#ownDecisions.has(data)));
    if (newEntries.length === 0) return this.#draftsOf({ drafts: [], steps: [], state: this.#turnState });
    const turn = await this.#running.advance(newEntries);
    this.#seen.push(...newEntries);
    return this.#draftsOf(turn);
  }

  /** Call it when the commit is in the journal. */
  committed(): void {
    this.#seen = [];
  }

  /** Whether the entry makes a replay necessary. The process handles its own `continueAsNew` itself. */
  #needsReplay({ type, data }: Entry): boolean {
    // Corrected code has to decide everything again; other code comes with a replay.
    if (type === 'PROCESS_CODE_CHANGED') return data.revision !== undefined;
    return REPLAY_AFTER.has(type) && !this.#ownDecisions.has(data);
  }

  /** Replays the process from the journal. Returns its pending drafts. */
  async replay(entries: readonly Entry[]): Promise<readonly EntryDraft[]> {
    if (this.#isSuspended() || entries.length === 0) return [];
    const now = this.#ports.clock.now();
    const runner = await this.#runner().catch((error: unknown) => this.#unrunnable(error, now));
    if (Array.isArray(runner)) return runner;
    const replayedAt = now.toISOString();
    const { running, turn } = await runner.replay({ ...this.#options(), entries, replayedAt });
    this.#running = running;
    const changed = this.#codeChanged(runner);
    return [...changed, ...this.#draftsOf(turn), ...this.#stillBroken(turn, entries, changed.length > 0)];
  }

  /** A run whose process cannot be started waits for an operator, like one whose process failed. This is recorded once. */
  #unrunnable(error: unknown, now: Date): EntryDraft[] {
    if (!isReinsError(error) || !PROCESS_START_ERRORS.has(error.code)) throw error;
    const isKnown = this.#state.processError?.error.code === error.code || this.#state.cancelRequested;
    return isKnown ? [] : [runtimeError(errorInfoOf(error), now)];
  }

  /** Releases the running process. It can be replayed later. */
  discard(): void {
    // A sandbox closes in the background.
    void this.#running?.close().catch(() => undefined);
    this.#running = undefined;
    this.#steps = [];
  }

  /** The local steps that became due since the last call. */
  takeSteps(): readonly DueStep[] {
    return this.#steps.splice(0);
  }

  #draftsOf({ drafts, steps, state }: Turn): readonly EntryDraft[] {
    this.#turnState = state;
    this.#steps.push(...steps);
    const drafted = [...drafts.map((draft) => this.#withAttempt(draft)), ...this.#stuck({ drafts, steps, state })];
    for (const { data } of drafted) this.#ownDecisions.add(data);
    if (drafted.length > 0) return [...drafted, ...refusedHooks(drafted)];
    return this.#state.cancelRequested ? continueCancellation(this.#state, this) : [];
  }

  /** A process that waits for something that is not an effect cannot continue: an operator has to fix its code. */
  #stuck({ drafts, steps, state }: Turn): EntryDraft[] {
    const { cancelRequested, processError, pending } = this.#state;
    if (state !== 'waiting' || drafts.length > 0 || steps.length > 0 || pending.size > 0) return [];
    return cancelRequested || processError || this.#isBare ? [] : [runtimeError(STUCK, this.#ports.clock.now())];
  }

  #withAttempt(draft: EntryDraft): EntryDraft {
    if (draft.type === 'EFFECT_REQUESTED') return this.#requestedWithAttempt(draft);
    return draft.type === 'EFFECT_CANCELLED' ? this.#cancelledWithAttempt(draft) : draft;
  }

  /** Sets the attempt of a cancelled effect, which the process does not know. */
  #cancelledWithAttempt({ type, data }: EntryDraft<'EFFECT_CANCELLED'>): EntryDraft {
    const { earlierAttempts, effects, pending } = this.#state;
    const known = pending.has(data.effectId) ? effects.get(data.effectId)?.attempt : undefined;
    return { type, data: { ...data, attempt: known ?? 1 + (earlierAttempts.get(data.effectId) ?? 0) } };
  }

  /** Attempts of an invalidated effect continue to count, so that a late answer to an earlier attempt is recognized. */
  #requestedWithAttempt({ type, data }: EntryDraft<'EFFECT_REQUESTED'>): EntryDraft {
    const earlier = this.#state.earlierAttempts.get(data.effectId);
    if (earlier === undefined) return { type, data };
    const { kind, limits, request } = data;
    const attempt = data.attempt + earlier;
    const changed = effectKind(kind).requestForAttempt?.(request, attempt) ?? request;
    const more = { ...limits, maxAttempts: limits.maxAttempts + earlier };
    return { type, data: { ...data, attempt, limits: more, request: changed } };
  }

  #codeChanged({ codeHash: to }: ProcessRunner): EntryDraft[] {
    const { codeHash: from } = this.#state.process;
    return from === to ? [] : [{ type: 'PROCESS_CODE_CHANGED', data: { from, to } }];
  }

  /** After a resume or new code, a process that is still broken waits for an operator again. */
  #stillBroken({ state, drafts }: Turn, entries: readonly Entry[], recovered: boolean): EntryDraft[] {
    const { processError, cancelRequested } = this.#state;
    const isBroken = state === 'broken' || state === 'diverged';
    if (!isBroken || cancelRequested || (processError && !recovered)) return [];
    if (drafts.some(({ type }) => type === 'PROCESS_RUNTIME_ERROR')) return [];
    const known = entries.findLast((entry) => entry.type === 'PROCESS_RUNTIME_ERROR');
    if (known?.type !== 'PROCESS_RUNTIME_ERROR') return [];
    const expiresAt = new Date(this.#ports.clock.now().getTime() + OPERATOR_GRACE_MS).toISOString();
    return [{ type: 'PROCESS_RUNTIME_ERROR', data: { ...known.data, expiresAt } }];
  }

  #options(): RunnerOptions {
    const { run, forked } = this.#state;
    const { values } = this.#ports;
    return {
      run,
      ...(forked && { identity: forked.identity }),
      loadValue: values.get.bind(values),
      journal: () => this.#journal(),
    };
  }

  /** Everything that the process has seen: the journal, and the entries of the current commit that are not stored yet. */
  async #journal(): Promise<readonly Entry[]> {
    const seen = this.#seen;
    const { entries, head } = await this.#ports.journal.load(this.#state.run);
    const more = seen.filter(({ version }) => version > head.version);
    return more.length === 0 ? entries : [...entries, ...more.sort((a, b) => a.version - b.version)];
  }

  #runner(): Promise<ProcessRunner> {
    return runnerOf(this.#ports, this.#state);
  }
}

const STUCK: ErrorInfo = {
  code: 'process_invalid',
  message: 'the process waits for a promise that does not come from its context',
  hint: 'Use ctx.task or ctx.step for work outside the process.',
};

const REPLAY_AFTER: ReadonlySet<string> = new Set(['RUN_RESUMED', 'EFFECT_INVALIDATED', 'PROCESS_ASSIGNED']);
