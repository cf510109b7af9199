import { type ErrorInfo, isReinsError } from '@reins/contracts';
import { BARE_RUN, type Entry, type EntryDraft, isEnded, pendingEffects, type RunState } from '@reins/journal';
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
import { PROCESS_START_ERRORS, runnerOf } from '../processes/runner-of.ts';
import { continueCancellation, type ProcessView } from './cancel.ts';
import type { RunPorts } from './run-ports.ts';

type Ports = Pick<RunPorts, 'processOf' | 'authored' | 'clock' | 'values' | 'journal'>;

/** The process of a run in its owner's memory: what it decides, what it still wants, and the local steps that are due. */
export class RunProcess implements ProcessView {
  readonly #ports: Ports;
  readonly #state: RunState;
  #running: RunningProcess | undefined;
  #turnState: Turn['state'] = 'waiting';
  #steps: DueStep[] = [];
  /** The data of what it decided: that is not fed back to it. */
  readonly #decided = new WeakSet<object>();
  /** Of the commit under way, what it was shown already. */
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

  get hasStepsUnderWay(): boolean {
    return pendingEffects(this.#state).some(({ kind, effectId }) => kind === 'step' && this.waitsFor(effectId));
  }

  /** It must be replayed before the run can go on. */
  get isBehind(): boolean {
    return !this.#running && this.#state.head.version > 0 && !this.#isSuspended();
  }

  get #isBare(): boolean {
    return this.#state.process.id === BARE_RUN;
  }

  /** Neither a run that has ended asks its process anything, nor one that an operator holds. */
  #isSuspended(): boolean {
    return isEnded(this.#state) || this.#state.paused !== undefined;
  }

  /** What follows from entries that the run's state has taken in; nothing while it is behind. */
  async advance(entries: readonly Entry[]): Promise<readonly EntryDraft[]> {
    if (this.#isSuspended() || entries.some((entry) => this.#needsReplay(entry))) this.discard();
    if (this.#isSuspended()) return [];
    if (entries[0]?.version === 1) this.#running = await (await this.#runner()).start(this.#options());
    if (!this.#running) return [];
    const newEntries = entries.filter(({ data }) => !this.#decided.has(data));
    this.#seen.push(...entries.filter(({ data }) => this.#decided.has(data)));
    if (newEntries.length === 0) return this.#draftsOf({ drafts: [], steps: [], state: this.#turnState });
    const turn = await this.#running.advance(newEntries);
    this.#seen.push(...newEntries);
    return this.#draftsOf(turn);
  }

  /** What it was shown is in the journal now. */
  committed(): void {
    this.#seen = [];
  }

  /** After these it is not where it was; that it begins anew by itself it knows. */
  #needsReplay({ type, data }: Entry): boolean {
    return REPLAY_AFTER.has(type) && !this.#decided.has(data);
  }

  /** Brings the process to where the journal left it. Returns what it owes. */
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

  /** A run whose process cannot be run any more waits for an operator, as one whose process fails by itself; that is recorded once. */
  #unrunnable(error: unknown, now: Date): EntryDraft[] {
    if (!isReinsError(error) || !PROCESS_START_ERRORS.has(error.code)) throw error;
    const isKnown = this.#state.processError?.error.code === error.code || this.#state.cancelRequested;
    return isKnown ? [] : [runtimeError(errorInfoOf(error), now)];
  }

  /** It is not needed any more, or will be replayed. */
  discard(): void {
    // Where its code runs in a place of its own, that is given up in its own time.
    void this.#running?.close().catch(() => undefined);
    this.#running = undefined;
    this.#steps = [];
  }

  /** The local steps that became due since it was last asked. */
  takeSteps(): readonly DueStep[] {
    return this.#steps.splice(0);
  }

  #draftsOf({ drafts, steps, state }: Turn): readonly EntryDraft[] {
    this.#turnState = state;
    this.#steps.push(...steps);
    const asked = [...drafts.map((draft) => this.#withAttempt(draft)), ...this.#stuck({ drafts, steps, state })];
    for (const { data } of asked) this.#decided.add(data);
    return asked.length > 0 || !this.#state.cancelRequested ? asked : continueCancellation(this.#state, this);
  }

  /** It waits for something that no effect stands behind: nobody can bring it on but who mends it. */
  #stuck({ drafts, steps, state }: Turn): EntryDraft[] {
    const { cancelRequested, processError, pending } = this.#state;
    if (state !== 'waiting' || drafts.length > 0 || steps.length > 0 || pending.size > 0) return [];
    return cancelRequested || processError || this.#isBare ? [] : [runtimeError(STUCK, this.#ports.clock.now())];
  }

  #withAttempt(draft: EntryDraft): EntryDraft {
    if (draft.type === 'EFFECT_REQUESTED') return this.#requestedWithAttempt(draft);
    return draft.type === 'EFFECT_CANCELLED' ? this.#cancelledWithAttempt(draft) : draft;
  }

  /** The process knows what it lets go of; at which attempt that is, the run does. */
  #cancelledWithAttempt({ type, data }: EntryDraft<'EFFECT_CANCELLED'>): EntryDraft {
    const { earlierAttempts, effects, pending } = this.#state;
    const known = pending.has(data.effectId) ? effects.get(data.effectId)?.attempt : undefined;
    return { type, data: { ...data, attempt: known ?? 1 + (earlierAttempts.get(data.effectId) ?? 0) } };
  }

  /** An effect that was invalidated goes on counting its attempts, so that a late answer to an earlier one is known as such. */
  #requestedWithAttempt({ type, data }: EntryDraft<'EFFECT_REQUESTED'>): EntryDraft {
    const earlier = this.#state.earlierAttempts.get(data.effectId);
    if (earlier === undefined) return { type, data };
    const { kind, limits, request } = data;
    const attempt = data.attempt + earlier;
    const child = kind === 'child' ? { childRequestId: `${request.childRequestId}_${attempt}` } : {};
    const more = { ...limits, maxAttempts: limits.maxAttempts + earlier };
    return { type, data: { ...data, attempt, limits: more, request: { ...request, ...child } } };
  }

  #codeChanged({ codeHash: to }: ProcessRunner): EntryDraft[] {
    const { codeHash: from } = this.#state.process;
    return from === to ? [] : [{ type: 'PROCESS_CODE_CHANGED', data: { from, to } }];
  }

  /** An operator let it go on, or brought other code, and it is what it was: it waits again. */
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

  /** What it would have seen by now, were it to come back: the journal, and of a commit under way what is not in there yet. */
  async #journal(): Promise<readonly Entry[]> {
    const shown = this.#seen;
    const { entries, head } = await this.#ports.journal.load(this.#state.run);
    const more = shown.filter(({ version }) => version > head.version);
    return more.length === 0 ? entries : [...entries, ...more.sort((a, b) => a.version - b.version)];
  }

  #runner(): Promise<ProcessRunner> {
    return runnerOf(this.#ports, this.#state);
  }
}

const STUCK: ErrorInfo = {
  code: 'process_invalid',
  message: 'the process waits for something that its context did not give it',
  hint: 'outside work goes through ctx.task or ctx.step',
};

const REPLAY_AFTER: ReadonlySet<string> = new Set(['RUN_RESUMED', 'EFFECT_INVALIDATED', 'PROCESS_ASSIGNED']);
