import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Path from the repository root. */
const FOLDER = 'tools/bench/peers';

/**
 * Installs the peers as their lock file says, unless they are installed. Downloads only from the npm registry and runs no install scripts.
 *
 * @param log receives what is installed
 * @throws Error when npm exits with a code other than 0
 */
export async function installPeers(root: string, log: (line: string) => void): Promise<void> {
  const folder = join(root, FOLDER);
  if (changedAt(join(folder, 'node_modules/.package-lock.json')) >= changedAt(join(folder, 'package-lock.json')))
    return;
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    dependencies: Readonly<Record<string, string>>;
  };
  log(`installing into ${FOLDER}/node_modules (about 800 MB), from the npm registry:`);
  for (const [name, version] of Object.entries(dependencies)) log(`  ${name} ${version}`);
  // Not `npm ci`, which fails if a mirror lacks packages for other platforms.
  const child = spawn('npm', ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: folder,
    stdio: ['ignore', 2, 2],
  });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`npm install in ${FOLDER} failed with exit code ${code}`);
}

/** The modification time of a file; zero if it does not exist. */
function changedAt(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
