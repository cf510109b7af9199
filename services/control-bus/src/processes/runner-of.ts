import { ReinsError } from '@reins/contracts';
import type { RunState } from '@reins/journal';
import { inProcess, type ProcessRunner } from '@reins/replay';
import { type BuiltInProcess, definitionFor } from './built-in-process.ts';

/** An authored process of a workspace: its name, and the revision that its code is in. */
export interface AuthoredRef {
  readonly id: string;
  readonly revision: string;
}

/** Where processes come from. */
export interface ProcessSources {
  /** @throws ReinsError `process_unknown` */
  readonly processOf: (id: string) => BuiltInProcess;
  /** Runs code of a workspace where it can do no harm; absent: such processes are not run here. */
  readonly authored?: (process: AuthoredRef) => Promise<ProcessRunner>;
}

/** Whether this names code of a workspace, `<path>#<export>`, and not a built-in process. */
export const isAuthored = (id: string): boolean => /\.(?:[cm]?js|[cm]?ts)(?:#|$)/.test(id);

/** What drives a run. @throws ReinsError `process_unknown`, and what keeps an authored process from being run */
export async function runnerOf(
  { processOf, authored }: ProcessSources,
  { process: { id }, revision, session }: Pick<RunState, 'process' | 'revision' | 'session'>,
): Promise<ProcessRunner> {
  if (!isAuthored(id)) return inProcess(definitionFor(processOf(id), { revision, session }));
  if (authored) return authored({ id, revision });
  throw new ReinsError({ code: 'process_unknown', message: `${id} is a process of a workspace, and none is run here` });
}
