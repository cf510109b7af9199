import { type BlobRef, defined, isReinsError, type JsonValue, ReinsError } from '@reins/contracts';
import type { Entry } from '@reins/journal';
import type { RunnerOptions } from '@reins/replay';
import type { Governance } from '@reins/replay/babysitter';
import type { ModuleGraph } from '../graph/module-graph.ts';
import type { Loaded, ToChild, TurnMessage } from '../protocol/messages.ts';
import { assertPermitted } from './policy.ts';
import { RunLedger } from './run-ledger.ts';
import type { ChildLimits } from './sandbox-child.ts';
import type { Child, SandboxMachine } from './sandbox-machine.ts';
import { closed, type Slots, type Tenant } from './slots.ts';
import { TaskFileBuffer } from './task-file-buffer.ts';

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

interface Started {
  readonly child: Child;
  readonly loaded: Loaded;
}

/** The number of entries in one message. */
const PART = 1000;

/** The current child of a run, its slot, and the owner's knowledge of the run. A new child can replace it. */
export class RunChild {
  readonly #spec: RunSpec;
  readonly #options: RunnerOptions;
  readonly #tenant: Tenant;
  readonly #files: TaskFileBuffer;
  #ledger: RunLedger;
  #child: Child | undefined;
  /** The newest child, also while it starts. */
  #starting: Promise<Child> | undefined;
  #hasSlot = false;
  /** A new child waits until the slot of the previous one is free. */
  #releasing: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(spec: RunSpec, options: RunnerOptions, tenant: Tenant) {
    this.#spec = spec;
    this.#options = options;
    this.#tenant = tenant;
    this.#files = new TaskFileBuffer(spec.runDir);
    this.#ledger = this.#newLedger();
  }

  get current(): Child | undefined {
    return this.#child;
  }

  /** The entries that the current child has received. */
  get ledger(): RunLedger {
    return this.#ledger;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Starts a child with the process. @param at the time of the run's first entry · @throws NotLoaded */
  async start(at: string, asked: { readonly inputs?: JsonValue } = {}): Promise<Started> {
    const { slots, graph, exportName, governance, runDir, id } = this.#spec;
    const { run, identity, nonInteractive = false } = this.#options;
    try {
      await this.#releasing;
      if (!this.#hasSlot) await slots.take(this.#tenant);
      this.#hasSlot = true;
      const child = await this.#newChild();
      const more = {
        ...defined({ exportName }),
        ...(governance && { governance }),
        ...defined({ runDir, identity }),
        ...asked,
      };
      return { child, loaded: await child.load({ type: 'load', graph, ...more, id, run, nonInteractive, at }) };
    } catch (error) {
      await this.release('kill');
      throw new NotLoaded('the process was not started', { cause: error });
    }
  }

  /**
   * Starts a child that replays these entries. @param from the index of the start entry to begin with. Default: the
   * last one
   */
  async restore(
    entries: readonly Entry[],
    { replayedAt, from }: { readonly replayedAt?: string | undefined; readonly from?: number },
  ): Promise<TurnMessage> {
    const { child } = await this.start(entries[0]?.recordedAt ?? new Date(0).toISOString());
    this.#ledger.feed(entries, replayedAt);
    const messages: ToChild[] = [];
    for (let at = 0; at === 0 || at < entries.length; at += PART) {
      const isLast = at + PART >= entries.length;
      const when = defined({ replayedAt, from });
      messages.push({ type: 'replay', entries: entries.slice(at, at + PART), isLast, ...when });
    }
    return child.turn(messages, this.#spec.limits.turnMs + entries.length);
  }

  /** @throws ReinsError `process_crashed` for decisions that are impossible for this journal · DeniedRequest */
  checked(turn: TurnMessage): TurnMessage {
    const pending = [...this.#ledger.pending()];
    try {
      this.#ledger.accept(turn);
    } catch (error) {
      throw isReinsError(error) ? error : new ReinsError({ code: 'process_crashed', message: String(error) });
    }
    const { governance, id } = this.#spec;
    const { run, identity = run.runId } = this.#options;
    assertPermitted({ governance, processId: id, runId: identity }, turn.drafts, pending);
    return turn;
  }

  /** Writes the task files that the run has requested. */
  writeFiles(): void {
    this.#files.write((effectId) => this.#ledger.knows(effectId));
  }

  /** Ends the child, and keeps the slot for the next one. */
  async end(how: 'close' | 'kill'): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    await child?.[how]();
  }

  /** Ends the child and releases its slot. */
  async release(how: 'close' | 'kill'): Promise<void> {
    this.#releasing = this.#released(how);
    await this.#releasing;
  }

  async #released(how: 'close' | 'kill'): Promise<void> {
    await this.end(how);
    this.#hasSlot = false;
    this.#spec.slots.release(this.#tenant);
  }

  /** Closes it permanently, also while a child starts. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.release('kill');
    const late = await this.#starting?.catch(() => undefined);
    await late?.kill();
  }

  /** @throws ReinsError `sandbox_unavailable` when the run was closed in the meantime */
  async #newChild(): Promise<Child> {
    if (this.#isClosed) throw closed();
    const { graph, limits, console, machine } = this.#spec;
    const { loadValue: load } = this.#options;
    const ledger = this.#newLedger();
    this.#ledger = ledger;
    const loadValue = load && (async (ref: BlobRef) => load(ledger.named(ref)));
    const file = (path: string, content: string) => this.#files.add(path, content);
    this.#starting = machine.start(graph, limits, { console, loadValue, file });
    this.#child = await this.#starting;
    if (this.#isClosed) throw closed();
    return this.#child;
  }

  #newLedger(): RunLedger {
    const { id, graph } = this.#spec;
    return new RunLedger(this.#options.run, { id, codeHash: graph.hash });
  }
}

/** The child did not start or did not load the module, so the process of the run did not cause the error. */
export class NotLoaded extends Error {}

export const causeOf = (error: unknown): unknown => (error instanceof NotLoaded ? error.cause : error);
