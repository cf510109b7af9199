import { type ErrorInfo, isReinsError, type JsonValue, ReinsError } from '@reins/contracts';
import type { Entry } from '@reins/journal';
import type { DueStep, FedEntry, ReplayOptions, RunnerOptions, RunningProcess, Turn } from '@reins/replay';
import { errorInfoOf, failedAttempt, runtimeError } from '@reins/replay';
import type { Governance } from '@reins/replay/babysitter';
import type { ModuleGraph } from '../graph/module-graph.ts';
import type { Loaded, ToChild, ToldTurn } from '../protocol/messages.ts';
import { keepIn } from './keep-file.ts';
import type { ChildLimits } from './sandbox-child.ts';
import type { Child, SandboxMachine } from './sandbox-machine.ts';
import { closed, type Slots, type Tenant } from './slots.ts';
import { turnOf } from './untrusted.ts';

/** What is run, and by which rules. */
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

/** So many entries travel in one message. */
const PART = 1000;

/**
 * The process of one run, in a child of its own while it has something to do. The child holds nothing that the journal does not have:
 * it is ended when it has been idle for long, when its slot is needed, and when it breaks a rule; the next turn brings it back.
 */
export class SandboxedRun implements RunningProcess, Tenant {
  readonly #spec: RunSpec;
  readonly #options: RunnerOptions;
  #child: Child | undefined;
  /** The newest child, also while it is not there yet. */
  #starting: Promise<Child> | undefined;
  /** It was fed: a new child begins with the journal. */
  #hasBegun = false;
  /** It broke a rule, and does nothing any more. */
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
    return this.#alone(async () => {
      if (this.#isBroken || entries.length === 0)
        return { drafts: [], steps: [], state: this.#isBroken ? 'broken' : 'waiting' };
      const at = new Date(entries.at(-1)?.recordedAt ?? 0);
      return this.#orBroken(at, [], () => this.#fed(entries));
    });
  }

  /** Only as the first thing. */
  replay({ entries, ...how }: ReplayOptions): Promise<Turn> {
    return this.#alone(async () => {
      this.#hasBegun = true;
      const at = new Date(how.replayedAt ?? entries.at(-1)?.recordedAt ?? 0);
      return this.#orBroken(at, entries, async () => this.#told(await this.#startedFrom(entries, how)));
    });
  }

  /** Loads the module, and asks it nothing but its `inputSchema`, and whether the inputs are what that says. */
  async inspect(inputs: JsonValue | undefined): Promise<Loaded> {
    try {
      const asked = inputs === undefined ? {} : { inputs };
      return (await this.#alone(() => this.#started(new Date(0).toISOString(), asked))).loaded;
    } catch (error) {
      throw causeOf(error);
    } finally {
      await this.close();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#drop('kill');
    const late = await this.#starting?.catch(() => undefined);
    await late?.kill();
  }

  async evict(): Promise<void> {
    await this.#drop('close');
  }

  /** One thing after the other. */
  #alone<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#last.then(() => this.#whileBusy(work));
    this.#last = mine.catch(() => undefined);
    return mine;
  }

  async #whileBusy<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isClosed) throw closed();
    this.#busy += 1;
    this.#idleSince = undefined;
    this.#callOffIdle();
    try {
      return await work();
    } finally {
      this.#busy -= 1;
      if (this.#busy === 0) this.#rests();
    }
  }

  #rests(): void {
    if (!this.#child) return;
    const { idleMs, machine, slots } = this.#spec;
    this.#idleSince = machine.now();
    slots.changed();
    if (this.#options.journal) this.#callOffIdle = machine.after(idleMs, () => void this.evict());
  }

  async #fed(entries: readonly FedEntry[]): Promise<Turn> {
    const { owed, child } = await this.#present(entries[0] as FedEntry);
    if (owed?.state === 'diverged') return this.#told(owed);
    const turn = await child.turn([{ type: 'advance', entries }]);
    this.#hasBegun = true;
    return this.#told(owed ? joined(owed, turn) : turn);
  }

  /** The child; a new one when there is none, brought to where the journal left the process. */
  async #present(first: FedEntry): Promise<{ readonly child: Child; readonly owed?: ToldTurn }> {
    if (this.#child) return { child: this.#child };
    if (!this.#hasBegun) return this.#started(first.recordedAt);
    const { journal } = this.#options;
    if (!journal)
      throw new ReinsError({
        code: 'process_crashed',
        message: 'the process is gone, and nothing was given to bring it back',
      });
    const owed = await this.#startedFrom(await journal());
    return { child: this.#child as unknown as Child, owed };
  }

  async #startedFrom(
    entries: readonly Entry[],
    { replayedAt, everyStart }: Omit<ReplayOptions, 'entries' | 'run'> = {},
  ): Promise<ToldTurn> {
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
      await this.#drop('kill');
      throw new NotLoaded('the process was not started', { cause: error });
    }
  }

  /** Whoever is closed while it starts has no use for it any more. */
  async #newChild(): Promise<Child> {
    if (this.#isClosed) throw closed();
    const { graph, limits, console, machine, runDir } = this.#spec;
    const { loadValue } = this.#options;
    this.#starting = machine.start(graph.root, limits, { console, loadValue, file: keepIn(runDir) });
    this.#child = await this.#starting;
    if (this.#isClosed) throw closed();
    return this.#child;
  }

  /**
   * A process that breaks a rule waits for an operator, as one that fails by itself; that is recorded once. One that was lost may have
   * been lost by chance, also while it was brought back: it gets a second child, and asks again for what the first one asked. Of one that
   * cannot be started at all the run has not begun.
   */
  async #orBroken(at: Date, entries: readonly Entry[], work: () => Promise<Turn>): Promise<Turn> {
    try {
      return await work().catch(async (error: unknown) => {
        if (!this.#mayComeBack(causeOf(error))) throw error;
        await this.#drop('kill');
        return work();
      });
    } catch (thrown) {
      await this.#drop('kill');
      const error = causeOf(thrown);
      const hasBegun = this.#hasBegun || !(thrown instanceof NotLoaded);
      if (!isReinsError(error) || !BREAKS.has(error.code) || !hasBegun) throw error;
      return this.#broken(errorInfoOf(error), at, entries);
    }
  }

  #mayComeBack(error: unknown): boolean {
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

  #told(told: ToldTurn): Turn {
    this.#awaited = new Set(told.awaited);
    const steps = told.steps.filter((step) => !this.#given.has(nameOf(step)));
    for (const step of steps) this.#given.add(nameOf(step));
    return turnOf({ ...told, steps }, (step) => () => this.#step(step));
  }

  /** An attempt that ends the child has failed, and the next one is made in another. */
  async #step(step: Omit<DueStep, 'run'>): ReturnType<DueStep['run']> {
    try {
      return await this.#whileBusy(async () => (await this.#childForStep()).step(step));
    } catch (error) {
      await this.#drop('kill');
      return failedAttempt(step, errorInfoOf(error));
    }
  }

  async #childForStep(): Promise<Child> {
    if (this.#child) return this.#child;
    return this.#alone(async () => {
      const { child } = await this.#present({ recordedAt: new Date(0).toISOString() } as FedEntry);
      return child;
    });
  }

  async #drop(how: 'close' | 'kill'): Promise<void> {
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

/** Whatever is wrong, it is not what the process did in its run. */
class NotLoaded extends Error {}

const causeOf = (error: unknown): unknown => (error instanceof NotLoaded ? error.cause : error);

/** What ends a child by the process's own doing. */
const BREAKS: ReadonlySet<string> = new Set([
  'process_timed_out',
  'process_out_of_memory',
  'process_output_too_large',
  'process_crashed',
]);

const nameOf = ({ effectId, attempt }: Pick<DueStep, 'effectId' | 'attempt'>): string => `${effectId}/${attempt}`;

/** What the journal still owed, and then what followed. */
function joined(owed: ToldTurn, turn: ToldTurn): ToldTurn {
  return { ...turn, drafts: [...owed.drafts, ...turn.drafts], steps: [...owed.steps, ...turn.steps] };
}
