import { readdir, readFile } from 'node:fs/promises';
import { RUN_TOKEN } from './environment.ts';

/** A process of this machine, and the token of its run. */
export interface RunProcess {
  readonly pid: number;
  readonly token: string;
}

const MARK = Buffer.from(`${RUN_TOKEN}=`);

/**
 * Lists every process with a run token, from `/proc`. Unlike a process group, this includes children in other sessions.
 * Returns nothing on a system without `/proc`. Omits dead processes and those of other users.
 */
export async function listRunProcesses(): Promise<RunProcess[]> {
  const entries = await readdir('/proc').catch(() => []);
  const pids = entries.filter((name) => /^\d+$/.test(name)).map(Number);
  const found = await Promise.all(pids.map(async (pid) => ({ pid, token: await tokenOf(pid) })));
  return found.filter((item): item is RunProcess => item.token !== undefined);
}

async function tokenOf(pid: number): Promise<string | undefined> {
  const environment = await readFile(`/proc/${pid}/environ`).catch(() => undefined);
  if (!environment) return undefined;
  for (let at = environment.indexOf(MARK); at >= 0; at = environment.indexOf(MARK, at + 1)) {
    if (at > 0 && environment[at - 1] !== 0) continue;
    const end = environment.indexOf(0, at);
    return environment.toString('utf8', at + MARK.length, end < 0 ? undefined : end);
  }
  return undefined;
}
