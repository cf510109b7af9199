import { execFile } from 'node:child_process';
import { mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ReinsError } from '@reins/contracts';

const run = promisify(execFile);

/**
 * Unpacks files and folders of an npm package into a new folder.
 * @param paths relative to the root of the package
 * @returns the size of the files
 * @throws ReinsError `harness_install_failed` when the package lacks one of them
 */
export async function unpackFiles(archive: string, paths: readonly string[], target: string): Promise<number> {
  await mkdir(target, { recursive: true });
  try {
    const members = paths.map((path) => `package/${path}`);
    await run('tar', ['-xzf', archive, '-C', target, '--strip-components=1', '--no-same-owner', ...members]);
  } catch (cause) {
    const why = String((cause as { stderr?: string }).stderr ?? cause).split('\n')[0];
    throw new ReinsError(
      { code: 'harness_install_failed', message: `the package cannot be unpacked: ${why}` },
      { cause },
    );
  }
  const entries = await readdir(target, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(files.map(async (entry) => (await stat(join(entry.parentPath, entry.name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}
