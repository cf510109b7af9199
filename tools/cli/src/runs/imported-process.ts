import { existsSync } from 'node:fs';
import { ReinsError, type RunAddress } from '@reins/contracts';
import { type Entry, foldRun, hasCodeHash, recordedCode } from '@reins/journal';
import { entrypointOf } from './entrypoint.ts';
import { readAt } from './find-code.ts';

/**
 * Checks that an imported run would not execute a module of this machine that is not its own. A bundle names its process
 * by a path, which can lead to any module.
 * @param directory of the new run
 * @throws ReinsError `process_import_refused` when a module is at the path, and the journal does not have its hash
 */
export async function assertOwnProcess(directory: string, run: RunAddress, entries: readonly Entry[]): Promise<void> {
  const { process } = foldRun(run, entries);
  const { path } = entrypointOf({ directory }, process) ?? {};
  if (path === undefined || !existsSync(path)) return;
  const manifest = await readAt(path).then(
    ({ code }) => code.manifest,
    () => undefined,
  );
  if (manifest && recordedCode(entries).some(({ codeHash }) => hasCodeHash(manifest, codeHash))) return;
  throw new ReinsError({
    code: 'process_import_refused',
    message: `the bundle names ${path} as its process, and the code there is not the code that the journal recorded`,
    path: process.id,
    hint: 'Import the bundle into another folder with --runs-dir, or pass --use-local-code to run this module.',
  });
}
