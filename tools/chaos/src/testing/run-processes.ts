import { readFile } from 'node:fs/promises';
import { runProcesses as onThisMachine } from '@reins/harness';

/** A process that a stage started, with the host that it belongs to. */
export interface RunProcess {
  readonly pid: number;
  readonly hostPid: number;
  readonly command: string;
}

/** What runs now for stages of these hosts: a stage's processes carry a token that begins with the pid of its host. */
export async function runProcesses(hostPids: readonly number[]): Promise<RunProcess[]> {
  const found = (await onThisMachine()).map(async ({ pid, token }) => {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''); // it may have ended meanwhile
    return { pid, hostPid: Number.parseInt(token, 10), command };
  });
  return (await Promise.all(found)).filter(({ hostPid }) => hostPids.includes(hostPid));
}
