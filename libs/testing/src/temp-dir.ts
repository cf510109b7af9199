import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { guardian } from '@reins/embedded';

/** A new empty folder that is removed when this process is gone, even by SIGKILL. */
export async function tempDir(name = 'test'): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), `reins-${name}-`));
  guardian.removeAtEnd(dir);
  return dir;
}
