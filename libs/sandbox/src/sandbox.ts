import { type JsonObject, type JsonValue, ReinsError } from '@reins/contracts';
import type { Wall } from '@reins/os-sandbox';
import type { ProcessRunner } from '@reins/replay';
import type { Governance } from '@reins/replay/babysitter';
import { type ModuleEntry, type ModuleGraph, readModuleGraph } from './graph/module-graph.ts';
import type { RunSpec } from './pool/run-child.ts';
import { runnerFor } from './pool/runner-for.ts';
import type { ChildLimits } from './pool/sandbox-child.ts';
import { type SandboxMachine, thisMachine, type WallRule } from './pool/sandbox-machine.ts';
import { SandboxedRun } from './pool/sandboxed-run.ts';
import { Slots } from './pool/slots.ts';

export interface SandboxOptions extends Partial<ChildLimits> {
  /** Live children at a time. Default 8. */
  readonly maxLive?: number;
  /** Milliseconds after which an idle child is stopped. Default one minute. */
  readonly idleMs?: number;
  /**
   * `required`: no process runs without a wall of the operating system around it (`sandbox_unavailable`). `preferred`: the best wall that the
   * host has. Default `preferred`.
   */
  readonly sandbox?: WallRule;
  /** That wall. Default: what `probe` of `@reins/os-sandbox` finds. */
  readonly wall?: Wall;
  /** Receives lines of the processes' consoles. A replay sends them again. */
  readonly console?: (line: string) => void;
}

/** The code of a process: an export of the module at `path` in the folder `root`, which holds all of its imports. */
export interface AuthoredProcess extends ModuleEntry {
  /** The code, if it was read before. Default: what the folder has now. */
  readonly graph?: ModuleGraph;
  /** Default `process`, and without one the module's default export. */
  readonly exportName?: string;
  /** The process id in runs. Default `<path>#<export>`. */
  readonly id?: string;
  /** Rules of the run for the work that the process may request. The child applies them. */
  readonly governance?: Governance;
  /** The run directory for files of tasks. Without it tasks cannot keep files. */
  readonly runDir?: string;
}

const LIMITS: ChildLimits = { memoryMb: 128, turnMs: 10_000, maxTurnBytes: 16 * 1024 * 1024 };

/** Runs authored processes: each run in a child process, a limited number at a time. */
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
   * A runner for the process, with the code as it is now; `codeHash` is the code's identity.
   * @throws ReinsError `process_not_found` · `process_import_refused` · `process_invalid`. A missing export is found at the start
   *   (`process_export_missing`)
   */
  async process(process: AuthoredProcess): Promise<ProcessRunner> {
    return runnerFor(await this.#specOf(process));
  }

  /**
   * Loads the module and returns its `inputSchema`, a JSON Schema, if it exports one.
   * @param inputs to validate by that schema, in the child, since the schema is untrusted
   * @throws ReinsError as `process`, `process_export_missing`, errors of bounds, and `request_invalid` with every invalid place of the inputs
   */
  async inspect(process: AuthoredProcess, inputs?: JsonValue): Promise<{ readonly inputSchema?: JsonObject }> {
    const run = { workspaceId: 'none', runId: 'none' };
    const { inputSchema, wrong = [] } = await new SandboxedRun(await this.#specOf(process), { run }).inspect(inputs);
    const problems = wrong.map(({ message, path }) => ({ code: 'request_invalid', message, path }) as const);
    if (problems.length > 0) throw new ReinsError(problems);
    return inputSchema === undefined ? {} : { inputSchema };
  }

  async #specOf({ root, path, exportName, id, governance, runDir, ...read }: AuthoredProcess): Promise<RunSpec> {
    const graph = read.graph ?? (await readModuleGraph({ root, path }));
    const [limits, idleMs, slots, console] = [this.#limits, this.#idleMs, this.#slots, this.#console];
    const named = { id: id ?? `${path}#${exportName ?? 'process'}`, exportName, governance, runDir };
    return { ...named, graph, limits, idleMs, slots, machine: this.#machine, console };
  }

  /** Kills every child. The journals of the runs stay as they are. */
  async close(): Promise<void> {
    await this.#slots.close();
  }
}
