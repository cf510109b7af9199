import { type JsonObject, type JsonValue, ReinsError } from '@reins/contracts';
import type { Wall } from '@reins/os-sandbox';
import type { ProcessRunner } from '@reins/replay';
import type { Governance } from '@reins/replay/babysitter';
import { type ModuleEntry, readModuleGraph } from './graph/module-graph.ts';
import { runnerFor } from './pool/runner-for.ts';
import type { ChildLimits } from './pool/sandbox-child.ts';
import { type SandboxMachine, thisMachine, type WallRule } from './pool/sandbox-machine.ts';
import { type RunSpec, SandboxedRun } from './pool/sandboxed-run.ts';
import { Slots } from './pool/slots.ts';

export interface SandboxOptions extends Partial<ChildLimits> {
  /** So many children live at a time, at most. Default 8. */
  readonly maxLive?: number;
  /** One that has had nothing to do for so long is ended. Default one minute. */
  readonly idleMs?: number;
  /**
   * `required`: no process runs without a wall of the operating system around it (`sandbox_unavailable`). `preferred`: the best wall that the
   * host has. Default `preferred`.
   */
  readonly sandbox?: WallRule;
  /** That wall. Default: what `probe` of `@reins/os-sandbox` finds. */
  readonly wall?: Wall;
  /** What processes write to their console; lost without it. Comes again whenever the process is replayed. */
  readonly console?: (line: string) => void;
}

/** The code of a process: an export of the module at `path` in the folder `root`, where everything that it imports lies. */
export interface AuthoredProcess extends ModuleEntry {
  /** Default `process`, and without one the module's default export. */
  readonly exportName?: string;
  /** By which runs know it. Default `<path>#<export>`. */
  readonly id?: string;
  /** Which work it may ask for, by rules that the run was created with. Kept by the process's own side of the wall. */
  readonly governance?: Governance;
  /** The run directory in which its tasks may keep files; without it they can keep none. */
  readonly runDir?: string;
}

const LIMITS: ChildLimits = { memoryMb: 128, turnMs: 10_000, maxTurnBytes: 16 * 1024 * 1024 };

/** Where authored processes run: every run in a child of its own, a bounded number of them at a time. */
export class Sandbox {
  readonly #limits: ChildLimits;
  readonly #slots: Slots;
  readonly #idleMs: number;
  readonly #console: (line: string) => void;
  readonly #machine: SandboxMachine;

  constructor(options: SandboxOptions = {}) {
    const { maxLive = 8, idleMs = 60_000, console = () => undefined, sandbox = 'preferred', wall, ...limits } = options;
    this.#limits = { ...LIMITS, ...limits };
    this.#slots = new Slots(maxLive, 3 * this.#limits.turnMs);
    this.#idleMs = idleMs;
    this.#console = console;
    this.#machine = thisMachine(sandbox, wall && (async () => wall));
  }

  /**
   * The process as a run can be driven by it. Its code is what is read now; `codeHash` is its identity.
   * @throws ReinsError `process_not_found` · `process_import_refused` · `process_invalid`; that the export is missing is found when it
   *   is started (`process_export_missing`)
   */
  async process(process: AuthoredProcess): Promise<ProcessRunner> {
    return runnerFor(await this.#specOf(process));
  }

  /**
   * What the module of a process says about it beside its code: the JSON Schema of its inputs, where it exports an `inputSchema`. Loads it,
   * so that everything is found that keeps it from being loaded.
   * @param inputs are held against that schema, in there: it is the author's
   * @throws ReinsError as `process`, `process_export_missing`, what breaks a bound, and `request_invalid` with every place at which the
   *   inputs are wrong
   */
  async inspect(process: AuthoredProcess, inputs?: JsonValue): Promise<{ readonly inputSchema?: JsonObject }> {
    const run = { workspaceId: 'none', runId: 'none' };
    const { inputSchema, wrong = [] } = await new SandboxedRun(await this.#specOf(process), { run }).inspect(inputs);
    const problems = wrong.map(({ message, path }) => ({ code: 'request_invalid', message, path }) as const);
    if (problems.length > 0) throw new ReinsError(problems);
    return inputSchema === undefined ? {} : { inputSchema };
  }

  async #specOf({ root, path, exportName, id, governance, runDir }: AuthoredProcess): Promise<RunSpec> {
    const graph = await readModuleGraph({ root, path });
    const [limits, idleMs, slots, console] = [this.#limits, this.#idleMs, this.#slots, this.#console];
    const named = { id: id ?? `${path}#${exportName ?? 'process'}`, exportName, governance, runDir };
    return { ...named, graph, limits, idleMs, slots, machine: this.#machine, console };
  }

  /** Ends every child, whatever it is at. The runs stay as their journals have them. */
  async close(): Promise<void> {
    await this.#slots.close();
  }
}
