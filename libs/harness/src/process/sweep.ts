import { setTimeout as sleep } from 'node:timers/promises';
import { listRunProcesses, type RunProcess } from './process-table.ts';

const ROUND_MS = 20;

/**
 * Kills every process with a run token for which `belongs` returns true. Repeats until none is found or the time is up.
 * Never kills this process.
 * @returns the pids that were killed
 */
export async function sweep(
  belongs: (process: RunProcess) => boolean | Promise<boolean>,
  timeoutMs = 2000,
): Promise<number[]> {
  const killed = new Set<number>();
  const until = performance.now() + timeoutMs;
  for (;;) {
    const candidates = (await listRunProcesses()).filter(({ pid }) => pid !== process.pid);
    const matches = await Promise.all(candidates.map((item) => belongs(item)));
    const found = candidates.filter((_, index) => matches[index]);
    if (found.length === 0) return [...killed];
    for (const { pid } of found) if (kill(pid)) killed.add(pid);
    if (performance.now() >= until) return [...killed];
    await sleep(ROUND_MS);
  }
}

/** Kills the remaining processes of one run. */
export function sweepRun(runToken: string, timeoutMs?: number): Promise<number[]> {
  return sweep(({ token }) => token === runToken, timeoutMs);
}

function kill(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    return false; // The process has already exited, or belongs to another user.
  }
}
