import { type JsonValue, ReinsError } from '@reins/contracts';
import { BARE_RUN, type RunState } from '@reins/journal';
import { inProcess, type ProcessRunner } from '@reins/replay';
import { type BuiltInProcess, definitionFor } from './built-in-process.ts';

/** An authored process of a workspace: its name, and the revision that its code is in. */
export interface AuthoredRef {
  readonly id: string;
  readonly revision: string;
}

/** The processes that workspaces bring along. Their code runs where it can do no harm, and never in this process. */
export interface AuthoredProcesses {
  /** The process that a revision names for its requests. */
  named(revision: string): Promise<string | undefined>;
  /** @throws ReinsError what keeps it from being run (`PROCESS_START_ERRORS`), and what passes by (`sandbox_busy`, the bus's own) */
  runner(process: AuthoredRef): Promise<ProcessRunner>;
  /** @throws ReinsError `request_invalid` where the input is not what the process's `inputSchema` says, and as `runner` */
  assertInput(process: AuthoredRef, input: JsonValue): Promise<void>;
}

/** Where processes come from. */
export interface ProcessSources {
  /** @throws ReinsError `process_unknown` */
  readonly processOf: (id: string) => BuiltInProcess;
  /** Absent: no code of workspaces is run here. */
  readonly authored?: AuthoredProcesses;
}

/** What is wrong with a process itself: the same the next time. */
export const PROCESS_START_ERRORS: ReadonlySet<string> = new Set([
  'process_unknown',
  'process_not_found',
  'process_invalid',
  'process_import_refused',
  'process_export_missing',
  'request_invalid',
]);

/** Whether this names code of a workspace, `<path>#<export>`, and not a built-in process. */
export const isAuthored = (id: string): boolean => /\.[cm]?[jt]s(?:#|$)/.test(id);

/** Whether a process begins with the input of its request as that is; a built-in one is given `PipelineInputs`. */
export const takesRawInput = (id: string): boolean => isAuthored(id) || id === BARE_RUN;

/** What drives a run. @throws ReinsError `process_unknown`, and as `AuthoredProcesses.runner` */
export async function runnerOf(
  { processOf, authored }: ProcessSources,
  { process: { id }, revision, session }: Pick<RunState, 'revision' | 'session'> & { readonly process: { id: string } },
): Promise<ProcessRunner> {
  if (!isAuthored(id)) return inProcess(definitionFor(processOf(id), { revision, session }));
  if (authored) return authored.runner({ id, revision });
  throw new ReinsError({ code: 'process_unknown', message: `${id} is a process of a workspace, and none is run here` });
}
