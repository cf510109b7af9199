import type { JsonValue } from '@reins/contracts';
import { BARE_RUN, type Entry, effectiveEntries } from '@reins/journal';
import { buildContext } from '../context/build-context.ts';
import { CancelledError, EffectError } from '../errors.ts';
import type { ProcessDefinition } from '../process-definition.ts';
import { divergedTurn } from './diverged-turn.ts';
import type { Divergence } from './divergence.ts';
import { END_STATES, type EndType, isEnd } from './end-states.ts';
import { Execution, type ExecutionHost } from './execution.ts';
import { isExternalEnd } from './external-end.ts';
import { recordFailedCall } from './failed-calls.ts';
import { isForeign } from './foreign-match.ts';
import { jsonCopy } from './json-copy.ts';
import { loadValue } from './large-value.ts';
import { Outbox } from './outbox.ts';
import { isPatchMark, patchMark } from './patches.ts';
import { quiescent } from './quiescence.ts';
import { RunMemory } from './run-memory.ts';
import { clockMark, startsAt } from './start-clock.ts';
import { firstStart, lastStart } from './starts.ts';
import type { CoroutineOptions, CoroutineState, FedEntry, ReplayOptions, Turn } from './turn.ts';

/**
 * Runs one process against its journal. You feed it entries; it returns the drafts to record next. It has no other
 * side effects. Two coroutines with the same entries are in the same state, so one can be dropped at any time and
 * restored by replay.
 */
export class Coroutine {
  readonly #definition: ProcessDefinition;
  readonly #options: CoroutineOptions;
  readonly #outbox = new Outbox();
  readonly #memory = new RunMemory();
  /** Drafts that this coroutine returned. The owner may feed them back after recording them; they are ignored. */
  readonly #decided = new WeakSet<object>();
  #execution: Execution | undefined;
  /** Inputs of a pending continue-as-new. The restart runs after all entries of this call are processed. */
  #restartWith: { readonly inputs: JsonValue } | undefined;
  #state: CoroutineState = 'waiting';
  #divergence: Divergence | undefined;
  #now = new Date(0);
  #replaying = false;
  /** Someone other than the process ended the run. */
  #isExternalEnd = false;
  /** The journal comes from another system, which did not record everything. */
  #isForeign = false;

  private constructor(definition: ProcessDefinition, options: CoroutineOptions) {
    this.#definition = definition;
    this.#options = options;
  }

  /** Creates a process that starts when its RUN_CREATED (or PROCESS_ASSIGNED) is fed. */
  static start(definition: ProcessDefinition, options: CoroutineOptions): Coroutine {
    return new Coroutine(definition, options);
  }

  /**
   * Restores a process from its journal. `turn` has the decisions that are not in the journal yet, and the local
   * steps without a result.
   */
  static async replay(
    definition: ProcessDefinition,
    { entries: all, replayedAt, everyStart, from, ...options }: ReplayOptions,
  ): Promise<{ readonly coroutine: Coroutine; readonly turn: Turn }> {
    const entries = effectiveEntries(all);
    const coroutine = new Coroutine(definition, options);
    await coroutine.#replay(entries, from ?? (everyStart ? firstStart(entries) : lastStart(entries)));
    await coroutine.#runDueRestarts(true);
    coroutine.#memory.patches.currentVersion = undefined;
    const turn = coroutine.#divergence ? divergedTurn(coroutine.#divergence, entries, replayedAt) : coroutine.#turn();
    return { coroutine, turn };
  }

  /**
   * Feeds entries one after the other, and runs the process until it is quiescent after each. Ignores entries that do not
   * concern the process, and its own decisions.
   */
  async advance(entries: readonly FedEntry[]): Promise<Turn> {
    for (const entry of entries) await this.#feed(entry);
    await this.#runDueRestarts(false);
    return this.#turn();
  }

  /**
   * Whether the process still waits for this effect. False after its scope or the run was cancelled, or the process has
   * ended.
   */
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
    this.#isExternalEnd = isExternalEnd(entries);
    this.#replaying = true;
    for (let i = start; i < entries.length && !this.#divergence; i += 1) {
      const entry = entries[i] as Entry;
      this.#memory.patches.currentVersion = entry.version;
      await this.#feed(i === start ? { ...entry, recordedAt: startsAt(entry, before) } : entry);
    }
    this.#replaying = false;
    this.#memory.recorded.clear();
  }

  async #feed(entry: FedEntry): Promise<void> {
    if (this.#state === 'diverged' || this.#decided.has(entry.data)) return;
    switch (entry.type) {
      case 'RUN_CREATED':
        this.#memory.remember(entry);
        return entry.data.process.id === BARE_RUN ? undefined : this.#startExecution(entry);
      case 'PROCESS_ASSIGNED':
        return this.#onAssigned(entry);
      case 'EFFECT_RESOLVED':
        return this.#onResolved(entry);
      case 'EFFECT_CANCELLED':
        return this.#onEffectCancelled(entry);
      case 'EFFECT_ATTEMPT_FAILED':
        return this.#execution?.attemptFailed(
          entry.data.effectId,
          entry.data.nextAttempt,
          Date.parse(entry.recordedAt),
        );
      case 'SIGNAL_RECEIVED':
        return this.#memory.signals.add(entry.data);
      case 'RUN_CANCEL_REQUESTED':
        return this.#onCancelRequested(entry);
      case 'RUN_FAILED':
      case 'RUN_HALTED':
      case 'RUN_CANCELLED':
      case 'RUN_COMPLETED':
        return this.#onEnded(entry);
      case 'EFFECT_REQUESTED':
        if (this.#replaying && isForeign(entry as Entry)) await this.#passHooks();
        return this.#matchRecorded(entry as Entry);
      case 'PROCESS_LOG':
      case 'PROCESS_RUNTIME_ERROR':
        return this.#matchRecorded(entry as Entry);
      default:
        return;
    }
  }

  async #startExecution({
    data,
    recordedAt,
  }: Extract<FedEntry, { type: 'RUN_CREATED' | 'PROCESS_ASSIGNED' }>): Promise<void> {
    const inputs = data.inputsRef ? await loadValue(this.#options, data.inputsRef) : (data.inputs ?? null);
    this.#now = new Date(recordedAt);
    this.#execution = this.#newExecution();
    this.#execution.start(inputs, buildContext(this.#execution));
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

  /** Handles a continue-as-new that this coroutine already ran, or the assignment of another process. */
  async #onAssigned(entry: Extract<FedEntry, { type: 'PROCESS_ASSIGNED' }>): Promise<void> {
    if (this.#replaying && this.#execution) {
      if (this.#restartWith) await this.#restart(this.#restartWith.inputs);
      const found = this.#outbox.match(entry as Entry);
      if (!found) return;
      if (!this.#isForeign) return this.#diverge(found);
    }
    this.#restartWith = undefined;
    this.#memory.remember(entry);
    this.#memory.generation += 1;
    if (this.#execution) this.#memory.patches.forget();
    await this.#startExecution(entry);
  }

  async #onResolved({ data, recordedAt }: Extract<FedEntry, { type: 'EFFECT_RESOLVED' }>): Promise<void> {
    const effect = this.#execution?.pending.take(data.effectId);
    if (!effect) return void this.#outbox.matchCancellation(data.effectId);
    const value = data.valueRef ? await loadValue(this.#options, data.valueRef) : data.value;
    this.#now = new Date(recordedAt);
    const { effectId, error, retryable = false } = data;
    if (data.status === 'error' && error) {
      const details = value === undefined ? {} : { details: value };
      const failure = new EffectError(error, { effectId, retryable, ...details });
      recordFailedCall(failure, { site: effect.callSite, hint: error.hint });
      effect.reject(failure);
    } else effect.resolve(jsonCopy(value));
    await this.#settle();
  }

  async #onEffectCancelled({ data, recordedAt }: Extract<FedEntry, { type: 'EFFECT_CANCELLED' }>): Promise<void> {
    if (this.#replaying && this.#outbox.matchCancellation(data.effectId)) return;
    const effect = this.#execution?.pending.take(data.effectId);
    if (!effect) return;
    this.#now = new Date(recordedAt);
    effect.reject(new CancelledError(data.reason ?? 'the effect was cancelled', data.effectId));
    await this.#settle();
  }

  async #onCancelRequested({ data, recordedAt }: Extract<FedEntry, { type: 'RUN_CANCEL_REQUESTED' }>): Promise<void> {
    if (!this.#execution || this.#state !== 'waiting') return;
    if (this.#restartWith) {
      this.#restartWith = undefined;
      this.#state = 'cancelled';
      return;
    }
    this.#now = new Date(recordedAt);
    this.#execution.cancel(data.reason ?? 'the run was cancelled');
    await this.#settle();
  }

  /** Matches a recorded decision with the outbox. Diverges if they differ. */
  #matchRecorded(entry: Entry): void {
    if (!this.#replaying || isPatchMark(entry)) return;
    const found = isForeign(entry) ? this.#adoptForeignRequest(entry) : this.#outbox.match(entry);
    if (found && !(this.#isForeign && isEnd(entry))) this.#diverge(found);
  }

  #diverge(found: Divergence): void {
    this.#divergence = found;
    this.#state = 'diverged';
  }

  /**
   * Journals of other systems do not record hooks. A later request proves that the hooks completed, so each resolves
   * with its default result.
   */
  async #passHooks(): Promise<void> {
    for (let hooks = this.#outbox.takeHooks(); hooks.length > 0; hooks = this.#outbox.takeHooks()) {
      for (const { effectId, answer } of hooks) this.#execution?.pending.take(effectId)?.resolve(answer);
      await this.#settle();
    }
  }

  /** Adopts a request from a journal of another system. The effect keeps its id from there. */
  #adoptForeignRequest(entry: Entry<'EFFECT_REQUESTED'>): Divergence | undefined {
    this.#isForeign = true;
    const requested = this.#outbox.adopt(entry);
    if (!requested) return this.#outbox.divergenceAt(entry);
    this.#execution?.pending.rename(requested.data.effectId, entry.data.effectId);
    return undefined;
  }

  /** Ends the coroutine. Everything after the end of the run is ignored. */
  #onEnded(entry: Extract<FedEntry, { type: EndType }>): void {
    if (entry.type !== 'RUN_CANCELLED' && !this.#isExternalEnd) this.#matchRecorded(entry as Entry);
    if (this.#divergence) return;
    this.#outbox.takeAll();
    this.#state = END_STATES[entry.type];
  }

  #patched(id: string): boolean {
    const { isNewPath, mustRecord } = this.#memory.patches.choosePath(id);
    if (mustRecord) this.#outbox.push(patchMark(id));
    return isNewPath;
  }

  /** Runs until the process waits for input or has ended. */
  async #settle(): Promise<void> {
    for (;;) {
      await quiescent();
      const next = this.#execution?.conclude();
      if (next === undefined) return;
      if (next === 'more') continue;
      if ('restartWith' in next) {
        this.#restartWith = { inputs: next.restartWith };
        return;
      }
      for (const draft of next.drafts) this.#outbox.push(draft);
      this.#state = next.state;
    }
  }

  /**
   * @param isReplay true during replay: the start is recorded later than its cause, so a clock mark keeps the original
   *   time
   */
  async #runDueRestarts(isReplay: boolean): Promise<void> {
    while (this.#restartWith && this.#state === 'waiting') {
      if (isReplay) this.#outbox.push(clockMark(this.#now));
      await this.#restart(this.#restartWith.inputs);
    }
  }

  async #restart(inputs: JsonValue): Promise<void> {
    this.#restartWith = undefined;
    const { id, codeHash } = this.#definition;
    const carried = this.#memory.signals.carry();
    if (carried) this.#outbox.push(carried);
    this.#outbox.push({ type: 'PROCESS_ASSIGNED', data: { process: { id, codeHash }, inputs } });
    this.#memory.generation += 1;
    this.#memory.patches.forget();
    this.#execution = this.#newExecution();
    this.#execution.start(inputs, buildContext(this.#execution));
    await this.#settle();
  }
}
