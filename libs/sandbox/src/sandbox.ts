import { type JsonObject, type JsonValue, ReinsError } from '@reins/contracts';
import type { Isolation } from '@reins/os-sandbox';
import type { ProcessRunner } from '@reins/replay';
import type { Governance } from '@reins/replay/babysitter';
import { type ModuleEntry, type ModuleGraph, readModuleGraph } from './graph/module-graph.ts';
import type { RunSpec } from './pool/run-child.ts';
import { runnerFor } from './pool/runner-for.ts';
import type { ChildLimits } from './pool/sandbox-child.ts';
import { type IsolationRule, type SandboxMachine, thisMachine } from './pool/sandbox-machine.ts';
import { SandboxedRun } from './pool/sandboxed-run.ts';
import { Slots } from './pool/slots.ts';

export interface SandboxOptions extends Partial<ChildLimits> {
  /** Live children at a time. Default 8. */
  readonly maxLive?: number;
  /** Milliseconds after which an idle child is stopped. Default one minute. */
  readonly idleMs?: number;
  /**
   * `required`: processes run only in isolation by the operating system; otherwise `sandbox_unavailable`. `preferred`:
   * processes run in the best isolation that the host has. Default `preferred`.
   */
  readonly sandbox?: IsolationRule;
  /** The isolation to use. Default: the result of `probe` of `@reins/os-sandbox`. */
  readonly isolation?: Isolation;
  /** Receives console lines of the processes. A replay prints them again. */
  readonly console?: (line: string) => void;
}

/** The code of a process: an export of the module at `path` in the folder `root`, which holds all of its imports. */
export interface AuthoredProcess extends ModuleEntry {
  /** The code, if it was read before. Default: the current content of the folder. */
  readonly graph?: ModuleGraph;
  /** Default `process`; if there is no such export, the default export. */
  readonly exportName?: string;
  /** The process id in runs. Default `<path>#<export>`. */
  readonly id?: string;
  /** Rules for the work that the process may request. The child applies them. */
  readonly governance?: Governance;
  /** The run directory for task files. Without it, tasks cannot write files. */
  readonly runDir?: string;
}

const LIMITS: ChildLimits = { memoryMb: 128, turnMs: 10_000, maxTurnBytes: 16 * 1024 * 1024 };

/** Runs authored processes. Each run has a child process, and the number of live children is limited. */
export class Sandbox {
  readonly #limits: ChildLimits;
  readonly #slots: Slots;
  readonly #idleMs: number;
  readonly #console: (line: string) => void;
  readonly #machine: SandboxMachine;

  constructor(options: SandboxOptions = {}) {
    const {
      maxLive = 8,
      idleMs = 60_000,
      console = () => undefined,
      sandbox = 'preferred',
      isolation,
      ...limits
    } = options;
    this.#limits = { ...LIMITS, ...limits };
    this.#slots = new Slots(maxLive, 3 * this.#limits.turnMs);
    this.#idleMs = idleMs;
    this.#console = console;
    this.#machine = thisMachine(sandbox, isolation && (async () => isolation));
  }

  /**
   * Creates a runner for the current code of the process; `codeHash` identifies the code.
   * @throws ReinsError `process_not_found` · `process_import_refused` · `process_invalid`. A missing export is detected
   *   at the start (`process_export_missing`)
   */
  async process(process: AuthoredProcess): Promise<ProcessRunner> {
    return runnerFor(await this.#specOf(process));
  }

  /**
   * Loads the module and returns its `inputSchema`, a JSON Schema, if it exports one.
   * @param inputs validated against that schema in the child, since the schema is untrusted
   * @throws ReinsError as `process`, `process_export_missing`, errors of limits, and `request_invalid` with every
   *   invalid part of the inputs
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

  /** Kills every child. The journals of the runs are not changed. */
  async close(): Promise<void> {
    await this.#slots.close();
  }
}
