import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Calls `work` with a new folder for the home of a probed executable, and removes the folder afterwards, also when this
 * process exits meanwhile.
 * @throws an error of `work`, or of the creation of the folder
 */
export async function inProbeHome<T>(runtimeId: string, work: (homeDir: string) => Promise<T>): Promise<T> {
  const homeDir = await mkdtemp(join(tmpdir(), `reins-${runtimeId}-probe-`));
  const remove = (): void => {
    try {
      rmSync(homeDir, { recursive: true, force: true });
    } catch {
      // What is left is only an empty configuration.
    }
  };
  process.once('exit', remove);
  try {
    return await work(homeDir);
  } finally {
    process.off('exit', remove);
    remove();
  }
}
