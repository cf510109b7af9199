import type { Entry } from '@reins/journal';
import type { ProcessDefinition } from '../process-definition.ts';
import { Coroutine } from './coroutine.ts';
import type { CoroutineOptions, FedEntry, ReplayOptions, Turn } from './turn.ts';

/**
 * A process and the place where its code runs: this process or a sandbox. The same entries lead to the same turns
 * everywhere (`@reins/replay/contract`).
 */
export interface ProcessRunner {
  readonly id: string;
  readonly codeHash: string;
  /** Like `Coroutine.start`. */
  start(options: RunnerOptions): Promise<RunningProcess>;
  /** Like `Coroutine.replay`. */
  replay(options: RunnerOptions & ReplayOptions): Promise<{ readonly running: RunningProcess; readonly turn: Turn }>;
}

export interface RunnerOptions extends CoroutineOptions {
  /**
   * Reads the run's journal again. A sandbox may then stop the process while it is idle and restore it at the next
   * turn. Without this function, the process stays alive until it is closed.
   */
  readonly journal?: () => Promise<readonly Entry[]>;
}

/** A process between its journal entries. */
export interface RunningProcess {
  /** Like `Coroutine.advance`. */
  advance(entries: readonly FedEntry[]): Promise<Turn>;
  /** Whether the process still waits for this effect after the last turn. */
  waitsFor(effectId: string): boolean;
  /** Ends the process; the run stays as it is. Idempotent. */
  close(): Promise<void>;
}

/** Runs the definition in this process. */
export function inProcess(definition: ProcessDefinition): ProcessRunner {
  const { id, codeHash } = definition;
  return {
    id,
    codeHash,
    start: async (options) => running(Coroutine.start(definition, options)),
    replay: async (options) => {
      const { coroutine, turn } = await Coroutine.replay(definition, options);
      return { running: running(coroutine), turn };
    },
  };
}

/** The runner of a process, given as a definition or as a runner. */
export function runnerOf(process: ProcessDefinition | ProcessRunner): ProcessRunner {
  return 'run' in process ? inProcess(process) : process;
}

function running(coroutine: Coroutine): RunningProcess {
  return {
    advance: (entries) => coroutine.advance(entries),
    waitsFor: (effectId) => coroutine.waitsFor(effectId),
    close: async () => undefined,
  };
}
