import { readFile } from 'node:fs/promises';
import { listRunProcesses as listAllRunProcesses } from '@reins/harness';

/** An OS process of a stage, with the pid of its host. */
export interface RunProcess {
  readonly pid: number;
  readonly hostPid: number;
  readonly command: string;
}

/** The running processes of these hosts' stages. Each carries a token that starts with the pid of its host. */
export async function listRunProcesses(hostPids: readonly number[]): Promise<RunProcess[]> {
  const found = (await listAllRunProcesses()).map(async ({ pid, token }) => {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''); // it may have ended meanwhile
    return { pid, hostPid: Number.parseInt(token, 10), command };
  });
  return (await Promise.all(found)).filter(({ hostPid }) => hostPids.includes(hostPid));
}
