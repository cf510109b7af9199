import { type JsonValue, type ProcessRef, ReinsError } from '@reins/contracts';
import { isAuthored, type RunState } from '@reins/journal';
import { inProcess, type ProcessRunner } from '@reins/replay';
import { type BuiltInProcess, definitionFor } from './built-in-process.ts';

/** A process in the code of a workspace: its name, `<path>#<export>`, and the revision of the workspace. */
export interface AuthoredRef {
  readonly id: string;
  readonly revision: string;
}

/** The processes of workspaces. Their code runs in a sandbox, never in this Node.js process. */
export interface AuthoredProcesses {
  /** The default process of a revision, if it configures one. */
  named(revision: string): Promise<string | undefined>;
  /** @throws ReinsError one of `PROCESS_START_ERRORS`, or a transient error (`sandbox_busy`, those of the bus) */
  runner(process: AuthoredRef): Promise<ProcessRunner>;
  /** @throws ReinsError `request_invalid` when the input does not match the process's `inputSchema`; also those of `runner` */
  assertInput(process: AuthoredRef, input: JsonValue): Promise<void>;
}

/** Looks up the processes of runs. */
export interface ProcessSources {
  /** @throws ReinsError `process_unknown` */
  readonly processOf: (id: string, codeHash?: string) => BuiltInProcess;
  /** Absent when workspace processes are disabled. */
  readonly authored?: AuthoredProcesses;
}

/** Permanent errors of a process. */
export const PROCESS_START_ERRORS: ReadonlySet<string> = new Set([
  'process_unknown',
  'process_not_found',
  'process_invalid',
  'process_import_refused',
  'process_export_missing',
  'request_invalid',
]);

/** A run, as far as it determines the code of its process. */
export interface RunnerOf extends Pick<RunState, 'agentId' | 'revision' | 'session'> {
  /**
   * With the revision of its code, if that is not the revision of the run. The code hash is that of a run which has
   * started: a built-in process keeps its version.
   */
  readonly process: Pick<ProcessRef, 'id' | 'revision'> & Partial<Pick<ProcessRef, 'codeHash'>>;
}

/** The runner for a run's process. @throws ReinsError `process_unknown`; also those of `AuthoredProcesses.runner` */
export async function runnerOf({ processOf, authored }: ProcessSources, state: RunnerOf): Promise<ProcessRunner> {
  const { id, revision: corrected, codeHash } = state.process;
  if (!isAuthored(id)) return inProcess(definitionFor(processOf(id, codeHash), state));
  if (authored) return authored.runner({ id, revision: corrected ?? state.revision });
  throw new ReinsError({
    code: 'process_unknown',
    message: `${id} is a workspace process, and workspace processes are disabled here`,
  });
}
