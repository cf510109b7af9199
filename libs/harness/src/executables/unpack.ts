import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { promisify } from 'node:util';
import { ReinsError } from '@reins/contracts';
import { sizeOf } from './progress.ts';

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
  return sizeOf(target);
}
