import { type ErrorInfo, isReinsError, type JsonValue, ReinsError } from '@reins/contracts';
import { type Entry, type EntryDraft, effectiveEntries, hasEnded } from '@reins/journal';
import type { DueStep, FedEntry, ReplayOptions, RunnerOptions, RunningProcess, Turn } from '@reins/replay';
import { errorInfoOf, failedAttempt, pastStarts, runtimeError } from '@reins/replay';
import type { Loaded, TurnMessage } from '../protocol/messages.ts';
import { DeniedRequest } from './policy.ts';
import {
  MAX_RESTARTS,
  restartedTooOften,
  untilRestart,
  withDrafts,
  withEntries,
  withoutClockMarks,
} from './restarts.ts';
import { causeOf, NotLoaded, RunChild, type RunSpec } from './run-child.ts';
import type { Child } from './sandbox-machine.ts';
import { closed, type Tenant } from './slots.ts';
import { checkedResult, turnOf } from './untrusted.ts';

/**
 * The process of one run, in a separate child while it has work. The child has no state that is not in the journal. It
 * is stopped when it stays idle, when its slot is needed, and when it violates a limit. The next turn restores
 * it.
 */
export class SandboxedRun implements RunningProcess, Tenant {
  readonly #spec: RunSpec;
  readonly #options: RunnerOptions;
  readonly #child: RunChild;
  /** Whether it has received entries. A new child then starts with the journal. */
  #hasBegun = false;
  /** Set when it violated a limit or a rule. It does no more work. */
  #over: 'broken' | 'failed' | undefined;
  /** Its decisions in this turn before a restart. */
  #decided: EntryDraft[] = [];
  #awaited: ReadonlySet<string> = new Set();
  readonly #given = new Set<string>();
  #busy = 0;
  #idleSince: number | undefined;
  #callOffIdle: () => void = () => undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(spec: RunSpec, options: RunnerOptions) {
    this.#spec = spec;
    this.#options = options;
    this.#child = new RunChild(spec, options, this);
  }

  get idleSince(): number | undefined {
    return this.#options.journal ? this.#idleSince : undefined;
  }

  waitsFor(effectId: string): boolean {
    return this.#awaited.has(effectId);
  }

  advance(entries: readonly FedEntry[]): Promise<Turn> {
    return this.#serialized(async () => {
      if (this.#over !== undefined || entries.length === 0)
        return { drafts: [], steps: [], state: this.#over ?? 'waiting' };
      const at = new Date(entries.at(-1)?.recordedAt ?? 0);
      return this.#brokenOnError(at, [], () => this.#advanceWith(entries));
    });
  }

  /** Must be the first call, if it is called. */
  replay({ entries, ...how }: Pick<ReplayOptions, 'entries'> & ReplayTime): Promise<Turn> {
    return this.#serialized(async () => {
      this.#hasBegun = true;
      const at = new Date(how.replayedAt ?? entries.at(-1)?.recordedAt ?? 0);
      return this.#brokenOnError(at, entries, async () => this.#acceptTurn(await this.#replayed(entries, how)));
    });
  }

  /** Loads the module. Returns its `inputSchema` and the places where the inputs do not match it. */
  async inspect(inputs: JsonValue | undefined): Promise<Loaded> {
    try {
      const asked = inputs === undefined ? {} : { inputs };
      return (await this.#serialized(() => this.#child.start(new Date(0).toISOString(), asked))).loaded;
    } catch (error) {
      throw causeOf(error);
    } finally {
      await this.close();
    }
  }

  async close(): Promise<void> {
    this.#callOff();
    await this.#child.close();
  }

  async evict(): Promise<void> {
    await this.#discardChild('close');
  }

  /** Runs work after all earlier work has finished. */
  #serialized<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#last.then(() => this.#countedBusy(work));
    this.#last = mine.catch(() => undefined);
    return mine;
  }

  async #countedBusy<T>(work: () => Promise<T>): Promise<T> {
    if (this.#child.isClosed) throw closed();
    this.#busy += 1;
    this.#idleSince = undefined;
    this.#callOffIdle();
    try {
      return await work();
    } finally {
      this.#busy -= 1;
      if (this.#busy === 0) this.#becomeIdle();
    }
  }

  #becomeIdle(): void {
    if (!this.#child.current) return;
    const { idleMs, machine, slots } = this.#spec;
    this.#idleSince = machine.now();
    slots.changed();
    if (this.#options.journal) this.#callOffIdle = machine.after(idleMs, () => void this.evict());
  }

  async #advanceWith(entries: readonly FedEntry[]): Promise<Turn> {
    const { outstanding, child } = await this.#startedChild(entries[0] as FedEntry);
    if (outstanding?.state === 'diverged') return this.#acceptTurn(outstanding);
    this.#decided = [...(outstanding?.drafts ?? [])];
    this.#child.ledger.feed(entries);
    const turn = await child.turn([{ type: 'advance', entries }]);
    this.#hasBegun = true;
    const before = outstanding ?? NOTHING;
    if (!this.#options.journal) return this.#acceptTurn(this.#child.checked(turn));
    const journal = async () => withEntries(await this.#journal(), entries);
    return this.#acceptTurn(await this.#settled(turn, { before, journal, afterRestart: withoutClockMarks }));
  }

  /** The current child. If there is none, starts a child and replays the journal. */
  async #startedChild(first: FedEntry): Promise<{ readonly child: Child; readonly outstanding?: TurnMessage }> {
    const { current } = this.#child;
    if (current) return { child: current };
    if (!this.#hasBegun) return this.#child.start(first.recordedAt);
    if (!this.#options.journal)
      throw new ReinsError({
        code: 'process_crashed',
        message: 'the child is lost, and there is no journal to restore it from',
      });
    const outstanding = await this.#replayed(await this.#journal());
    return { child: this.#child.current as unknown as Child, outstanding };
  }

  #journal(): Promise<readonly Entry[]> {
    return this.#options.journal?.() ?? Promise.resolve([]);
  }

  /**
   * The outstanding turn after a replay. With `everyStart`, each start gets a separate child, as in the original run.
   */
  async #replayed(all: readonly Entry[], { replayedAt, everyStart = false }: ReplayTime = {}): Promise<TurnMessage> {
    this.#decided = [];
    const entries = effectiveEntries(all);
    for (const { from, to } of everyStart ? pastStarts(entries) : []) {
      const turn = this.#child.checked(await this.#child.restore(entries.slice(0, to + 1), { replayedAt, from }));
      if (turn.divergence) return isRecordedAfter(entries.slice(to + 1)) ? { ...turn, drafts: [] } : turn;
      await this.#child.end('kill');
    }
    const turn = await this.#child.restore(entries, { replayedAt });
    return this.#settled(turn, { before: NOTHING, journal: async () => entries, replayedAt });
  }

  /** Completes a turn: starts a new child for each restart in it. */
  async #settled(turn: TurnMessage, { before, journal, replayedAt, afterRestart }: Restarting): Promise<TurnMessage> {
    this.#decided = [...before.drafts];
    let entries: readonly Entry[] | undefined;
    let next = turn;
    let restarts = 0;
    for (let past = untilRestart(next); past; past = untilRestart(next)) {
      restarts += 1;
      if (restarts > MAX_RESTARTS) throw restartedTooOften();
      this.#decided.push(...this.#child.checked(past).drafts);
      await this.#child.end('kill');
      entries ??= await journal();
      const at = replayedAt ?? entries.at(-1)?.recordedAt ?? '';
      next = await this.#child.restore(withDrafts(entries, this.#decided, at), { replayedAt });
      if (afterRestart) next = afterRestart(next);
    }
    const steps = entries ? next.steps : [...before.steps, ...next.steps];
    return { ...this.#child.checked(next), steps, drafts: [...this.#decided, ...next.drafts] };
  }

  /**
   * A process that violates a limit waits for an operator, and the error is recorded once. A child can also be lost by
   * accident, even while it is restored: then a second child repeats the work. If no child can be started, the run has
   * not started.
   */
  async #brokenOnError(at: Date, entries: readonly Entry[], work: () => Promise<Turn>): Promise<Turn> {
    try {
      return await work().catch(async (error: unknown) => {
        if (!this.#mayRetry(causeOf(error))) throw error;
        await this.#discardChild('kill');
        return work();
      });
    } catch (thrown) {
      await this.#discardChild('kill');
      const error = causeOf(thrown);
      const hasBegun = this.#hasBegun || !(thrown instanceof NotLoaded);
      if (error instanceof DeniedRequest) return this.#denied(error);
      if (!isReinsError(error) || !BREAKS.has(error.code) || !hasBegun) throw error;
      return this.#broken(errorInfoOf(error), at, entries);
    }
  }

  #mayRetry(error: unknown): boolean {
    if (!isReinsError(error) || error.code !== 'process_crashed') return false;
    return !this.#hasBegun || this.#options.journal !== undefined;
  }

  #denied({ drafts }: DeniedRequest): Turn {
    this.#over = 'failed';
    this.#awaited = new Set();
    return { drafts: [...this.#decided, ...drafts], steps: [], state: 'failed' };
  }

  #broken(error: ErrorInfo, at: Date, entries: readonly Entry[]): Turn {
    this.#over = 'broken';
    this.#awaited = new Set();
    const isKnown = entries.some(
      ({ type, data }) => hasEnded(type) || (type === 'PROCESS_RUNTIME_ERROR' && data.error.code === error.code),
    );
    return { drafts: isKnown ? [] : [runtimeError(error, at)], steps: [], state: 'broken' };
  }

  #acceptTurn(turn: TurnMessage): Turn {
    this.#awaited = new Set(turn.awaited);
    this.#child.writeFiles();
    const steps = turn.steps.filter((step) => !this.#given.has(nameOf(step)));
    for (const step of steps) this.#given.add(nameOf(step));
    return turnOf({ ...turn, steps }, (step) => () => this.#step(step));
  }

  /** Runs one attempt. An attempt that kills the child has failed; the next attempt gets another child. */
  async #step(step: Omit<DueStep, 'run'>): ReturnType<DueStep['run']> {
    let child: Child | undefined;
    try {
      return await this.#countedBusy(async () => {
        child = await this.#childForStep();
        return checkedResult(step, await child.step(step));
      });
    } catch (error) {
      // A restart may have replaced the child.
      if (this.#child.current === child) await this.#discardChild('kill');
      return failedAttempt(step, errorInfoOf(error));
    }
  }

  async #childForStep(): Promise<Child> {
    if (this.#child.current) return this.#child.current;
    return this.#serialized(async () => {
      const { child } = await this.#startedChild({ recordedAt: new Date(0).toISOString() } as FedEntry);
      return child;
    });
  }

  async #discardChild(how: 'close' | 'kill'): Promise<void> {
    this.#callOff();
    await this.#child.release(how);
  }

  #callOff(): void {
    this.#callOffIdle();
    this.#idleSince = undefined;
  }
}

type ReplayTime = Pick<ReplayOptions, 'replayedAt' | 'everyStart'>;

/** The input for restarts within a turn. */
interface Restarting {
  /** Decisions before this turn, in the same call. */
  readonly before: Pick<TurnMessage, 'drafts' | 'steps'>;
  /** The journal at the time when the turn is recorded, without its decisions. */
  readonly journal: () => Promise<readonly Entry[]>;
  readonly replayedAt?: string | undefined;
  readonly afterRestart?: (turn: TurnMessage) => TurnMessage;
}

const NOTHING: Restarting['before'] = { drafts: [], steps: [] };

/** Errors that the process caused itself. */
const BREAKS: ReadonlySet<string> = new Set([
  'process_timed_out',
  'process_out_of_memory',
  'process_output_too_large',
  'process_crashed',
]);

const nameOf = ({ effectId, attempt }: Pick<DueStep, 'effectId' | 'attempt'>): string => `${effectId}/${attempt}`;

/** Whether the run has ended, or its divergence was already recorded. */
const isRecordedAfter = (entries: readonly Entry[]): boolean =>
  entries.some(({ type }) => hasEnded(type) || type === 'PROCESS_RUNTIME_ERROR');
