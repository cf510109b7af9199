import { join } from 'node:path';
import { nodeOf, run } from '../../setup/commands.mjs';
import { ROOT } from '../../setup/setup.mjs';

/** Installs the executables of the runtimes that tests start, as a user does. Returns at once if they are there. */
export async function installRuntimes(log) {
  const reins = [join(ROOT, 'tools/cli/bin/reins.mjs'), '--state-dir', join(ROOT, '.reins')];
  await run(nodeOf(ROOT), [...reins, 'harness', 'install', 'codex'], { cwd: ROOT, quiet: true, onLine: log });
}
