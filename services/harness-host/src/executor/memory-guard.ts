import { readFile } from 'node:fs/promises';
import { runProcesses } from '@reins/harness';

/** What is ended when it holds too much. */
export interface GuardedProcess {
  readonly runToken: string;
  kill(): void;
}

const PAGE_BYTES = 4096;

/**
 * Looks from time to time what the processes of each run hold in memory, all of them together, and ends runs that go beyond their
 * bound: one stage must not take the machine from the others.
 */
export class MemoryGuard {
  readonly #timer: NodeJS.Timeout;

  constructor(
    executors: () => readonly GuardedProcess[],
    options: { readonly maxBytes: number; readonly everyMs?: number },
  ) {
    const check = async (): Promise<void> => {
      const working = executors();
      if (working.length === 0) return;
      const bytesByToken = await memoryByToken();
      for (const executor of working)
        if ((bytesByToken.get(executor.runToken) ?? 0) > options.maxBytes) executor.kill();
    };
    this.#timer = setInterval(() => void check(), options.everyMs ?? 2000).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}

async function memoryByToken(): Promise<Map<string, number>> {
  const bytesByToken = new Map<string, number>();
  for (const { pid, token } of await runProcesses())
    bytesByToken.set(token, (bytesByToken.get(token) ?? 0) + (await residentBytes(pid)));
  return bytesByToken;
}

async function residentBytes(pid: number): Promise<number> {
  const statm = await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => '');
  return Number(statm.split(' ')[1] ?? 0) * PAGE_BYTES;
}
