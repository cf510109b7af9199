import { existsSync } from 'node:fs';
import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { guardian } from '@reins/embedded';

/** Linux keeps this folder in memory, where syncing a file costs nothing. */
const IN_MEMORY = '/dev/shm';

/**
 * A new empty folder that is removed when this process is gone, even by SIGKILL.
 * @param options `inMemory` for tests that write many small files durably; used if the machine has such a folder
 */
export async function tempDir(name = 'test', options: { readonly inMemory?: boolean } = {}): Promise<string> {
  const parent = options.inMemory && existsSync(IN_MEMORY) ? IN_MEMORY : tmpdir();
  const dir = await mkdtemp(join(parent, `reins-${name}-`));
  guardian.removeAtEnd(dir);
  await chmod(dir, 0o755); // Postgres uses another account when the tests run as root
  return dir;
}
