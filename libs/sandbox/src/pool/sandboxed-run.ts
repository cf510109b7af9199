import { type ErrorInfo, isReinsError, type JsonValue, ReinsError } from '@reins/contracts';
import type { Entry } from '@reins/journal';
import type { DueStep, FedEntry, ReplayOptions, RunnerOptions, RunningProcess, Turn } from '@reins/replay';
import { errorInfoOf, failedAttempt, runtimeError } from '@reins/replay';
import type { Governance } from '@reins/replay/babysitter';
import type { ModuleGraph } from '../graph/module-graph.ts';
import type { Loaded, ToChild, TurnMessage } from '../protocol/messages.ts';
import { keepIn } from './keep-file.ts';
import type { ChildLimits } from './sandbox-child.ts';
import type { Child, SandboxMachine } from './sandbox-machine.ts';
import { closed, type Slots, type Tenant } from './slots.ts';
import { turnOf } from './untrusted.ts';

/** The process of a run, and its limits. */
export interface RunSpec {
  readonly id: string;
  readonly exportName: string | undefined;
  readonly governance: Governance | undefined;
  readonly runDir: string | undefined;
  readonly graph: ModuleGraph;
  readonly limits: ChildLimits;
  readonly idleMs: number;
  readonly slots: Pick<Slots, 'take' | 'release' | 'changed'>;
  readonly machine: SandboxMachine;
  readonly console: (text: string) => void;
}

/** Entries in one message. */
const PART = 1000;

/**
 * The process of one run, in a child of its own while it has something to do. The child holds nothing that the journal does not
 * have. It is stopped when it has been idle for long, when its slot is needed, and when it breaks a rule. The next turn restores it.
 */
export class SandboxedRun implements RunningProcess, Tenant {
  readonly #spec: RunSpec;
  readonly #options: RunnerOptions;
  #child: Child | undefined;
  /** The newest child, also while it starts. */
  #starting: Promise<Child> | undefined;
  /** It has had entries, so a new child starts with the journal. */
  #hasBegun = false;
  /** It broke a rule, so it does no more work. */
  #isBroken = false;
  #isClosed = false;
  #awaited: ReadonlySet<string> = new Set();
  readonly #given = new Set<string>();
  #busy = 0;
  #idleSince: number | undefined;
  #callOffIdle: () => void = () => undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(spec: RunSpec, options: RunnerOptions) {
    this.#spec = spec;
    this.#options = options;
  }

  get idleSince(): number | undefined {
    return this.#options.journal ? this.#idleSince : undefined;
  }

  waitsFor(effectId: string): boolean {
    return this.#awaited.has(effectId);
  }

  advance(entries: readonly FedEntry[]): Promise<Turn> {
    return this.#serialized(async () => {
      if (this.#isBroken || entries.length === 0)
        return { drafts: [], steps: [], state: this.#isBroken ? 'broken' : 'waiting' };
      const at = new Date(entries.at(-1)?.recordedAt ?? 0);
      return this.#brokenOnError(at, [], () => this.#advanceWith(entries));
    });
  }

  /** Call it first, or not at all. */
  replay({ entries, ...how }: ReplayOptions): Promise<Turn> {
    return this.#serialized(async () => {
      this.#hasBegun = true;
      const at = new Date(how.replayedAt ?? entries.at(-1)?.recordedAt ?? 0);
      return this.#brokenOnError(at, entries, async () => this.#acceptTurn(await this.#restoredFrom(entries, how)));
    });
  }

  /** Loads the module, and returns its `inputSchema` and where the inputs do not match it. */
  async inspect(inputs: JsonValue | undefined): Promise<Loaded> {
    try {
      const asked = inputs === undefined ? {} : { inputs };
      return (await this.#serialized(() => this.#started(new Date(0).toISOString(), asked))).loaded;
    } catch (error) {
      throw causeOf(error);
    } finally {
      await this.close();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#discardChild('kill');
    const late = await this.#starting?.catch(() => undefined);
    await late?.kill();
  }

  async evict(): Promise<void> {
    await this.#discardChild('close');
  }

  /** Runs work after all work before it. */
  #serialized<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#last.then(() => this.#countedBusy(work));
    this.#last = mine.catch(() => undefined);
    return mine;
  }

  async #countedBusy<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isClosed) throw closed();
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
    if (!this.#child) return;
    const { idleMs, machine, slots } = this.#spec;
    this.#idleSince = machine.now();
    slots.changed();
    if (this.#options.journal) this.#callOffIdle = machine.after(idleMs, () => void this.evict());
  }

  async #advanceWith(entries: readonly FedEntry[]): Promise<Turn> {
    const { outstanding, child } = await this.#startedChild(entries[0] as FedEntry);
    if (outstanding?.state === 'diverged') return this.#acceptTurn(outstanding);
    const turn = await child.turn([{ type: 'advance', entries }]);
    this.#hasBegun = true;
    return this.#acceptTurn(outstanding ? joined(outstanding, turn) : turn);
  }

  /** The child. Without one, a new child replays the journal first. */
  async #startedChild(first: FedEntry): Promise<{ readonly child: Child; readonly outstanding?: TurnMessage }> {
    if (this.#child) return { child: this.#child };
    if (!this.#hasBegun) return this.#started(first.recordedAt);
    const { journal } = this.#options;
    if (!journal)
      throw new ReinsError({
        code: 'process_crashed',
        message: 'the child is lost, and there is no journal to restore it from',
      });
    const outstanding = await this.#restoredFrom(await journal());
    return { child: this.#child as unknown as Child, outstanding };
  }

  async #restoredFrom(
    entries: readonly Entry[],
    { replayedAt, everyStart }: Omit<ReplayOptions, 'entries' | 'run'> = {},
  ): Promise<TurnMessage> {
    const { child } = await this.#started(entries[0]?.recordedAt ?? new Date(0).toISOString());
    const messages: ToChild[] = [];
    for (let at = 0; at === 0 || at < entries.length; at += PART) {
      const isLast = at + PART >= entries.length;
      const when = { ...(replayedAt !== undefined && { replayedAt }), ...(everyStart && { everyStart }) };
      messages.push({ type: 'replay', entries: entries.slice(at, at + PART), isLast, ...when });
    }
    return child.turn(messages, this.#spec.limits.turnMs + entries.length);
  }

  async #started(at: string, asked: { readonly inputs?: JsonValue } = {}): Promise<Started> {
    const { slots, graph, exportName, governance, runDir, id } = this.#spec;
    const { run, identity, nonInteractive = false } = this.#options;
    try {
      await slots.take(this);
      const child = await this.#newChild();
      const more = {
        ...(exportName !== undefined && { exportName }),
        ...(governance && { governance }),
        ...(runDir !== undefined && { runDir }),
        ...(identity !== undefined && { identity }),
        ...asked,
      };
      return { child, loaded: await child.load({ type: 'load', graph, ...more, id, run, nonInteractive, at }) };
    } catch (error) {
      await this.#discardChild('kill');
      throw new NotLoaded('the process was not started', { cause: error });
    }
  }

  /** @throws ReinsError `sandbox_unavailable` when the run was closed meanwhile */
  async #newChild(): Promise<Child> {
    if (this.#isClosed) throw closed();
    const { graph, limits, console, machine, runDir } = this.#spec;
    const { loadValue } = this.#options;
    this.#starting = machine.start(graph, limits, { console, loadValue, file: keepIn(runDir) });
    this.#child = await this.#starting;
    if (this.#isClosed) throw closed();
    return this.#child;
  }

  /**
   * A process that breaks a rule waits for an operator, and the error is recorded once. A child may also be lost by chance, even while it is
   * restored: then a second child repeats the work. When no child can be started, the run has not started.
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
      if (!isReinsError(error) || !BREAKS.has(error.code) || !hasBegun) throw error;
      return this.#broken(errorInfoOf(error), at, entries);
    }
  }

  #mayRetry(error: unknown): boolean {
    if (!isReinsError(error) || error.code !== 'process_crashed') return false;
    return !this.#hasBegun || this.#options.journal !== undefined;
  }

  #broken(error: ErrorInfo, at: Date, entries: readonly Entry[]): Turn {
    this.#isBroken = true;
    this.#awaited = new Set();
    const isKnown = entries.some(
      ({ type, data }) => type === 'PROCESS_RUNTIME_ERROR' && data.error.code === error.code,
    );
    return { drafts: isKnown ? [] : [runtimeError(error, at)], steps: [], state: 'broken' };
  }

  #acceptTurn(turn: TurnMessage): Turn {
    this.#awaited = new Set(turn.awaited);
    const steps = turn.steps.filter((step) => !this.#given.has(nameOf(step)));
    for (const step of steps) this.#given.add(nameOf(step));
    return turnOf({ ...turn, steps }, (step) => () => this.#step(step));
  }

  /** Runs one attempt. An attempt that kills the child has failed; the next one gets another child. */
  async #step(step: Omit<DueStep, 'run'>): ReturnType<DueStep['run']> {
    try {
      return await this.#countedBusy(async () => (await this.#childForStep()).step(step));
    } catch (error) {
      await this.#discardChild('kill');
      return failedAttempt(step, errorInfoOf(error));
    }
  }

  async #childForStep(): Promise<Child> {
    if (this.#child) return this.#child;
    return this.#serialized(async () => {
      const { child } = await this.#startedChild({ recordedAt: new Date(0).toISOString() } as FedEntry);
      return child;
    });
  }

  async #discardChild(how: 'close' | 'kill'): Promise<void> {
    this.#callOffIdle();
    this.#idleSince = undefined;
    const child = this.#child;
    this.#child = undefined;
    await child?.[how]();
    this.#spec.slots.release(this);
  }
}

interface Started {
  readonly child: Child;
  readonly loaded: Loaded;
}

/** The child did not start or did not load the module: the cause is not what the process did in its run. */
class NotLoaded extends Error {}

const causeOf = (error: unknown): unknown => (error instanceof NotLoaded ? error.cause : error);

/** Errors that the process caused itself. */
const BREAKS: ReadonlySet<string> = new Set([
  'process_timed_out',
  'process_out_of_memory',
  'process_output_too_large',
  'process_crashed',
]);

const nameOf = ({ effectId, attempt }: Pick<DueStep, 'effectId' | 'attempt'>): string => `${effectId}/${attempt}`;

/** The turn that was outstanding after the replay, and the turn after it. */
function joined(outstanding: TurnMessage, turn: TurnMessage): TurnMessage {
  return { ...turn, drafts: [...outstanding.drafts, ...turn.drafts], steps: [...outstanding.steps, ...turn.steps] };
}
