import { readFile } from 'node:fs/promises';
import { listRunProcesses } from '@reins/harness';

/** A process that is killed when it uses too much memory. */
export interface GuardedProcess {
  readonly runToken: string;
  kill(): void;
}

const PAGE_BYTES = 4096;

/**
 * Periodically measures the memory of all processes of each run, and kills runs that exceed the limit. One stage must
 * not exhaust the memory of the machine.
 */
export class MemoryGuard {
  readonly #timer: NodeJS.Timeout;

  constructor(
    executors: () => readonly GuardedProcess[],
    options: { readonly maxBytes: number; readonly intervalMs?: number },
  ) {
    const check = async (): Promise<void> => {
      const working = executors();
      if (working.length === 0) return;
      const bytesByToken = await memoryByToken();
      for (const executor of working)
        if ((bytesByToken.get(executor.runToken) ?? 0) > options.maxBytes) executor.kill();
    };
    this.#timer = setInterval(() => void check(), options.intervalMs ?? 2000).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}

async function memoryByToken(): Promise<Map<string, number>> {
  const bytesByToken = new Map<string, number>();
  for (const { pid, token } of await listRunProcesses())
    bytesByToken.set(token, (bytesByToken.get(token) ?? 0) + (await residentBytes(pid)));
  return bytesByToken;
}

async function residentBytes(pid: number): Promise<number> {
  const statm = await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => '');
  return Number(statm.split(' ')[1] ?? 0) * PAGE_BYTES;
}
