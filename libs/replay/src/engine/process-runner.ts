import type { Entry } from '@reins/journal';
import type { ProcessDefinition } from '../process-definition.ts';
import { Coroutine } from './coroutine.ts';
import type { CoroutineOptions, Fed, ReplayOptions, Turn } from './turn.ts';

/**
 * A process together with the place where its code runs: this process, or a sandbox of its own. Wherever that is, the same entries
 * lead to the same turns (`@reins/replay/contract`).
 */
export interface ProcessRunner {
  readonly id: string;
  readonly codeHash: string;
  /** As `Coroutine.start`. */
  start(options: RunnerOptions): Promise<RunningProcess>;
  /** As `Coroutine.replay`. */
  replay(options: RunnerOptions & ReplayOptions): Promise<{ readonly running: RunningProcess; readonly turn: Turn }>;
}

export interface RunnerOptions extends CoroutineOptions {
  /**
   * Reads the run's journal again. A process that runs elsewhere may be ended while nothing is fed, and is brought back from the
   * journal by the next turn; without it, it stays alive until it is closed.
   */
  readonly journal?: () => Promise<readonly Entry[]>;
}

/** A process between its journal entries. */
export interface RunningProcess {
  /** As `Coroutine.advance`. */
  advance(entries: readonly Fed[]): Promise<Turn>;
  /** Whether, after the last turn, the process still wants this effect. */
  waitsFor(effectId: string): boolean;
  /** Nobody feeds it any more. Idempotent. */
  close(): Promise<void>;
}

/** Runs it in this process. */
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

/** The runner of a process that is given either way. */
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
