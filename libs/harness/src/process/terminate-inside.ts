import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { listRunProcesses } from './process-table.ts';

const POLL_MS = 20;

/**
 * Sends SIGTERM to the processes of a run inside bubblewrap, and waits until they have ended or the time is up.
 * Processes without the run's token are not found. They end with bubblewrap.
 * @param monitor the pid of bubblewrap outside its namespace. It ends everything as soon as its command has ended, so it
 *   is suspended meanwhile: others may still be shutting down
 * @param until the end of the wait, in the time of `performance.now()`
 * @returns whether all have ended. bubblewrap then ends on its own, with the exit code of its command
 */
export async function terminateInside(monitor: number, runToken: string, until: number): Promise<boolean> {
  if (!signal(monitor, 'SIGSTOP')) return false;
  try {
    const signalled = (await pidsInside(runToken)).filter((pid) => signal(pid, 'SIGTERM'));
    while ((await pidsInside(runToken)).length > 0) {
      if (performance.now() >= until) return false;
      await sleep(POLL_MS);
    }
    return signalled.length > 0;
  } finally {
    signal(monitor, 'SIGCONT');
  }
}

/** The processes in a namespace of the run, except its first one, which only reaps others. */
async function pidsInside(runToken: string): Promise<number[]> {
  const found = (await listRunProcesses()).filter(({ token }) => token === runToken);
  const [own, ...all] = await Promise.all([process.pid, ...found.map(({ pid }) => pid)].map(namespacePids));
  const depth = own?.length ?? 0;
  return found.flatMap(({ pid }, index) => {
    const pids = all[index] ?? [];
    return pids.length > depth && pids.at(-1) !== '1' ? [pid] : [];
  });
}

/** The ids of a process in each namespace, from that of this process to its own. Empty if it has ended. */
async function namespacePids(pid: number): Promise<string[]> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return /^NSpid:\s*(.*)$/m.exec(status)?.[1]?.split(/\s+/) ?? [];
}

function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false; // It has already ended.
  }
}
