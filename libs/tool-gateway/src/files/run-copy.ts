import { cp } from 'node:fs/promises';
import { ReinsError } from '@reins/contracts';
import { type ToolContext, toolRunner } from '../packages/run-tool.ts';

/** Copies files of a run, whose processes may change them at the same time. */
export interface RunCopy {
  readonly from: string;
  /** An existing folder. What it has already is replaced. */
  readonly to: string;
  /** Files to remove from `to` first, relative to it. */
  readonly removed?: readonly string[];
  /** Folders that contain `from`. Only what is in them can be read. */
  readonly readable: readonly string[];
  /** Folders that contain `to`. Only what is in them can be changed. */
  readonly writable: readonly string[];
}

/** The processes of the run. */
export type CopyContext = Pick<ToolContext, 'path' | 'newToken'> & Partial<Pick<ToolContext, 'sandbox'>>;

/** The most arguments of one command. */
const MAX_ARGUMENTS = 500;

/**
 * Copies a folder with the rights of the run: in the sandbox of its processes. So a folder that they exchange for a link
 * meanwhile leads only to what they can read and change themselves. Without a sandbox, they have the rights of this
 * process anyway.
 * @throws ReinsError `app_start_failed`; the reason of the signal
 */
export async function copyOfRun(copy: RunCopy, context: CopyContext, signal: AbortSignal): Promise<void> {
  const { from, to, removed = [], readable, writable } = copy;
  const { path, sandbox, newToken } = context;
  const folders = { folder: '/', writable, readable, homeDir: '/', variables: {} };
  const run = toolRunner({ path, sandbox, newToken, ...folders }, signal);
  const execute = async (script: string, ...args: string[]): Promise<void> => {
    const { code, stderr } = await run(['/bin/sh', '-c', script, 'sh', ...args]);
    if (code === 0) return;
    const [reason = ''] = stderr.trim().split('\n');
    throw new ReinsError({ code: 'app_start_failed', message: `files of the run cannot be copied: ${reason}` });
  };
  for (let at = 0; at < removed.length; at += MAX_ARGUMENTS)
    await execute('cd -- "$1" && shift && rm -f -- "$@"', to, ...removed.slice(at, at + MAX_ARGUMENTS));
  if (sandbox === undefined) return cp(from, to, { recursive: true, verbatimSymlinks: true });
  // Under Landlock, modes cannot be changed after a file was created.
  const options = sandbox.isolation.backend === 'landlock' ? '-RPf' : '-RPpf';
  await execute(`cp ${options} -- "$1/." "$2/"`, from, to);
}
