import type { JsonValue } from '@reins/contracts';
import { BARE_RUN, type Entry, standingEntries } from '@reins/journal';
import { CancelledError, EffectError } from '../errors.ts';
import type { ProcessDefinition } from '../process-definition.ts';
import { isDeclared } from './declared-end.ts';
import { divergedTurn } from './diverged-turn.ts';
import type { Divergence } from './divergence.ts';
import { END_STATES, type EndType, isEnd } from './end-states.ts';
import { Execution, type ExecutionHost } from './execution.ts';
import { isForeign } from './foreign-match.ts';
import { jsonCopy } from './json-copy.ts';
import { loadValue } from './large-value.ts';
import { Outbox } from './outbox.ts';
import { isPatchMark, patchMark } from './patches.ts';
import { quiescent } from './quiescence.ts';
import { RunMemory } from './run-memory.ts';
import { clockMark, startsAt } from './start-clock.ts';
import { firstStart, lastStart } from './starts.ts';
import type { CoroutineOptions, CoroutineState, Fed, ReplayOptions, Turn } from './turn.ts';

/**
 * A process between its journal entries. Fed with what was recorded, it says what shall be recorded next; it does nothing by
 * itself. Two coroutines that were fed the same entries are in the same place, so one can be dropped at any time and made again
 * by replay.
 */
export class Coroutine {
  readonly #definition: ProcessDefinition;
  readonly #options: CoroutineOptions;
  readonly #outbox = new Outbox();
  readonly #memory = new RunMemory();
  /** The data of what it decided: an owner may feed that back. */
  readonly #decided = new WeakSet<object>();
  #execution: Execution | undefined;
  /** It said that it begins anew: what was recorded before that is fed first. */
  #anew: { readonly inputs: JsonValue } | undefined;
  #state: CoroutineState = 'waiting';
  #divergence: Divergence | undefined;
  #now = new Date(0);
  #replaying = false;
  /** Somebody else ended it. */
  #isDeclared = false;
  /** Its journal came from another system, which did not record all that it knew. */
  #isForeign = false;

  private constructor(definition: ProcessDefinition, options: CoroutineOptions) {
    this.#definition = definition;
    this.#options = options;
  }

  /** A process at its beginning; it starts when its RUN_CREATED (or PROCESS_ASSIGNED) is fed. */
  static start(definition: ProcessDefinition, options: CoroutineOptions): Coroutine {
    return new Coroutine(definition, options);
  }

  /**
   * A process where its journal left it, and what it owes: decisions that the journal does not have yet, and steps that
   * were asked for and have no result.
   */
  static async replay(
    definition: ProcessDefinition,
    { entries: all, replayedAt, everyStart, ...options }: ReplayOptions,
  ): Promise<{ readonly coroutine: Coroutine; readonly turn: Turn }> {
    const entries = standingEntries(all);
    const coroutine = new Coroutine(definition, options);
    await coroutine.#replay(entries, everyStart ? firstStart(entries) : lastStart(entries));
    await coroutine.#startsDue(true);
    coroutine.#memory.patches.reactsTo = undefined;
    const turn = coroutine.#divergence ? divergedTurn(coroutine.#divergence, entries, replayedAt) : coroutine.#turn();
    return { coroutine, turn };
  }

  /**
   * Feeds what happened, one after the other, each until the process is at rest. Entries that do not concern the process are
   * ignored, its own decisions among them.
   */
  async advance(entries: readonly Fed[]): Promise<Turn> {
    for (const entry of entries) await this.#feed(entry);
    await this.#startsDue(false);
    return this.#turn();
  }

  /** Whether the process still wants this effect: not when its scope or the run was cancelled, nor when the process has ended. */
  waitsFor(effectId: string): boolean {
    return this.#state === 'waiting' && this.#execution?.pending.get(effectId) !== undefined;
  }

  #turn(): Turn {
    if (this.#state === 'diverged') return { drafts: [], steps: [], state: 'diverged' };
    const steps = this.#state === 'waiting' ? (this.#execution?.takeDueSteps() ?? []) : [];
    const drafts = this.#outbox.takeAll();
    for (const { data } of drafts) this.#decided.add(data);
    return { drafts, steps, state: this.#state };
  }

  async #replay(entries: readonly Entry[], start: number): Promise<void> {
    const before = entries.slice(0, start);
    this.#memory.restore(before, entries);
    this.#isDeclared = isDeclared(entries);
    this.#replaying = true;
    for (let i = start; i < entries.length && !this.#divergence; i += 1) {
      const entry = entries[i] as Entry;
      this.#memory.patches.reactsTo = entry.version;
      await this.#feed(i === start ? { ...entry, recordedAt: startsAt(entry, before) } : entry);
    }
    this.#replaying = false;
    this.#memory.recorded.clear();
  }

  async #feed(entry: Fed): Promise<void> {
    if (this.#state === 'diverged' || this.#decided.has(entry.data)) return;
    switch (entry.type) {
      case 'RUN_CREATED':
        this.#memory.note(entry);
        return entry.data.process.id === BARE_RUN ? undefined : this.#begin(entry);
      case 'PROCESS_ASSIGNED':
        return this.#assigned(entry);
      case 'EFFECT_RESOLVED':
        return this.#resolved(entry);
      case 'EFFECT_CANCELLED':
        return this.#effectCancelled(entry);
      case 'EFFECT_ATTEMPT_FAILED':
        return this.#execution?.attemptFailed(
          entry.data.effectId,
          entry.data.nextAttempt,
          Date.parse(entry.recordedAt),
        );
      case 'SIGNAL_RECEIVED':
        return this.#memory.signals.add(entry.data);
      case 'RUN_CANCEL_REQUESTED':
        return this.#cancelRequested(entry);
      case 'RUN_FAILED':
      case 'RUN_HALTED':
      case 'RUN_CANCELLED':
      case 'RUN_COMPLETED':
        return this.#ended(entry);
      case 'EFFECT_REQUESTED':
        if (this.#replaying && isForeign(entry as Entry)) await this.#passHooks();
        return this.#recorded(entry as Entry);
      case 'PROCESS_LOG':
      case 'PROCESS_RUNTIME_ERROR':
        return this.#recorded(entry as Entry);
      default:
        return;
    }
  }

  async #begin({ data, recordedAt }: Extract<Fed, { type: 'RUN_CREATED' | 'PROCESS_ASSIGNED' }>): Promise<void> {
    const inputs = data.inputsRef ? await loadValue(this.#options, data.inputsRef) : (data.inputs ?? null);
    this.#now = new Date(recordedAt);
    this.#execution = this.#newExecution();
    this.#execution.start(inputs);
    await this.#settle();
  }

  #newExecution(): Execution {
    const { run, identity = run.runId, nonInteractive = false } = this.#options;
    const host: ExecutionHost = {
      runId: run.runId,
      identity,
      request: this.#memory.request,
      definition: this.#definition,
      outbox: this.#outbox,
      nonInteractive,
      now: () => new Date(this.#now),
      patched: (id) => this.#patched(id),
      isRecorded: (effectId) => this.#memory.recorded.has(effectId),
      takeSignal: (name) => this.#memory.signals.take(name),
    };
    return new Execution(host, this.#memory.generation);
  }

  /** Its own decision to start anew, which has been carried out already; or somebody gave the run another process. */
  async #assigned(entry: Extract<Fed, { type: 'PROCESS_ASSIGNED' }>): Promise<void> {
    if (this.#replaying && this.#execution) {
      if (this.#anew) await this.#startAnew(this.#anew.inputs);
      const found = this.#outbox.match(entry as Entry);
      if (!found) return;
      if (!this.#isForeign) return this.#diverge(found);
    }
    this.#anew = undefined;
    this.#memory.note(entry);
    this.#memory.generation += 1;
    if (this.#execution) this.#memory.patches.forget();
    await this.#begin(entry);
  }

  async #resolved({ data, recordedAt }: Extract<Fed, { type: 'EFFECT_RESOLVED' }>): Promise<void> {
    const effect = this.#execution?.pending.take(data.effectId);
    if (!effect) return void this.#outbox.matchCancellation(data.effectId);
    const value = data.valueRef ? await loadValue(this.#options, data.valueRef) : data.value;
    this.#now = new Date(recordedAt);
    const { effectId, error, retryable = false } = data;
    if (data.status === 'error' && error)
      effect.reject(new EffectError(error, { effectId, retryable, ...(value !== undefined && { details: value }) }));
    else effect.resolve(jsonCopy(value));
    await this.#settle();
  }

  async #effectCancelled({ data, recordedAt }: Extract<Fed, { type: 'EFFECT_CANCELLED' }>): Promise<void> {
    if (this.#replaying && this.#outbox.matchCancellation(data.effectId)) return;
    const effect = this.#execution?.pending.take(data.effectId);
    if (!effect) return;
    this.#now = new Date(recordedAt);
    effect.reject(new CancelledError(data.reason ?? 'the effect was cancelled', data.effectId));
    await this.#settle();
  }

  async #cancelRequested({ data, recordedAt }: Extract<Fed, { type: 'RUN_CANCEL_REQUESTED' }>): Promise<void> {
    if (!this.#execution || this.#state !== 'waiting') return;
    if (this.#anew) {
      this.#anew = undefined;
      this.#state = 'cancelled';
      return;
    }
    this.#now = new Date(recordedAt);
    this.#execution.cancel(data.reason ?? 'the run was cancelled');
    await this.#settle();
  }

  /** A decision of the process, as the journal has it. */
  #recorded(entry: Entry): void {
    if (!this.#replaying || isPatchMark(entry)) return;
    const found = isForeign(entry) ? this.#adopted(entry) : this.#outbox.match(entry);
    if (found && !(this.#isForeign && isEnd(entry))) this.#diverge(found);
  }

  #diverge(found: Divergence): void {
    this.#divergence = found;
    this.#state = 'diverged';
  }

  /** Hooks left nothing in the journals of another system: what comes next there shows that they had passed. */
  async #passHooks(): Promise<void> {
    for (let hooks = this.#outbox.takeHooks(); hooks.length > 0; hooks = this.#outbox.takeHooks()) {
      for (const { effectId, answer } of hooks) this.#execution?.pending.take(effectId)?.resolve(answer);
      await this.#settle();
    }
  }

  /** A request from a journal of another system: the effect keeps the id that it has there. */
  #adopted(entry: Entry<'EFFECT_REQUESTED'>): Divergence | undefined {
    this.#isForeign = true;
    const mine = this.#outbox.adopt(entry);
    if (!mine) return this.#outbox.divergenceAt(entry);
    this.#execution?.pending.rename(mine.data.effectId, entry.data.effectId);
    return undefined;
  }

  /** Nothing follows, whoever ended it. */
  #ended(entry: Extract<Fed, { type: EndType }>): void {
    if (entry.type !== 'RUN_CANCELLED' && !this.#isDeclared) this.#recorded(entry as Entry);
    if (this.#divergence) return;
    this.#outbox.takeAll();
    this.#state = END_STATES[entry.type];
  }

  #patched(id: string): boolean {
    const { goesNewWay, isFirst } = this.#memory.patches.ask(id);
    if (isFirst) this.#outbox.push(patchMark(id));
    return goesNewWay;
  }

  /** Until the process waits for something from outside, or has ended. */
  async #settle(): Promise<void> {
    for (;;) {
      await quiescent();
      const next = this.#execution?.conclude();
      if (next === undefined) return;
      if (next === 'more') continue;
      if ('anew' in next) {
        this.#anew = { inputs: next.anew };
        return;
      }
      for (const draft of next.drafts) this.#outbox.push(draft);
      this.#state = next.state;
    }
  }

  /** @param isOwed what made it begin anew was recorded earlier than the start will be */
  async #startsDue(isOwed: boolean): Promise<void> {
    while (this.#anew && this.#state === 'waiting') {
      if (isOwed) this.#outbox.push(clockMark(this.#now));
      await this.#startAnew(this.#anew.inputs);
    }
  }

  async #startAnew(inputs: JsonValue): Promise<void> {
    this.#anew = undefined;
    const { id, codeHash } = this.#definition;
    const carried = this.#memory.signals.carry();
    if (carried) this.#outbox.push(carried);
    this.#outbox.push({ type: 'PROCESS_ASSIGNED', data: { process: { id, codeHash }, inputs } });
    this.#memory.generation += 1;
    this.#memory.patches.forget();
    this.#execution = this.#newExecution();
    this.#execution.start(inputs);
    await this.#settle();
  }
}
