import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { guardian } from '@reins/embedded';

/** Creates an empty folder that is removed when this process is gone, even by SIGKILL. */
export async function tempDir(name = 'test'): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), `reins-${name}-`));
  guardian.removeAtEnd(dir);
  await chmod(dir, 0o755); // Postgres uses another account when the tests run as root
  return dir;
}
