import { setTimeout as sleep } from 'node:timers/promises';
import { type RunProcess, runProcesses } from './process-table.ts';

const ROUND_MS = 20;

/**
 * Ends every process that belongs to a run, wherever it went: looks, kills, looks again, until nothing is found or the time is
 * over. This process itself is never among them.
 * @returns the pids that were killed
 */
export async function sweep(
  belongs: (process: RunProcess) => boolean | Promise<boolean>,
  withinMs = 2000,
): Promise<number[]> {
  const killed = new Set<number>();
  const until = performance.now() + withinMs;
  for (;;) {
    const others = (await runProcesses()).filter(({ pid }) => pid !== process.pid);
    const ours = await Promise.all(others.map((item) => belongs(item)));
    const found = others.filter((_, index) => ours[index]);
    if (found.length === 0) return [...killed];
    for (const { pid } of found) if (kill(pid)) killed.add(pid);
    if (performance.now() >= until) return [...killed];
    await sleep(ROUND_MS);
  }
}

/** Ends what is left of one run. */
export function sweepRun(runToken: string, withinMs?: number): Promise<number[]> {
  return sweep(({ token }) => token === runToken, withinMs);
}

function kill(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    return false; // It was gone before us, or is not ours to end.
  }
}
