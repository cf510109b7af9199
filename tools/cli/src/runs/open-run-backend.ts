import type { CliContext } from '../context.ts';
import { findRunDirectory, type RunsFlags } from './locate.ts';
import type { RunBackend } from './run-backend.ts';

/** The run that an argument names: that of a run directory if there is one, otherwise that of a request. */
export async function openRunBackend(context: CliContext, argument: string, flags: RunsFlags): Promise<RunBackend> {
  const handle = findRunDirectory(context, argument, flags);
  if (handle) return new (await import('./directory/directory-run.ts')).DirectoryRun(context, argument, handle);
  return new (await import('../requests/request-run.ts')).RequestRun(context, argument);
}
