import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** From the root of the repository. */
const FOLDER = 'tools/bench/peers';

/**
 * Installs what the benchmarks stand beside, as its own lock file says, unless it is there: from the npm registry alone, no install script of any package runs.
 *
 * @param say hears what is installed
 * @throws Error when npm ends with another code than 0
 */
export async function installPeers(root: string, say: (line: string) => void): Promise<void> {
  const folder = join(root, FOLDER);
  if (changedAt(join(folder, 'node_modules/.package-lock.json')) >= changedAt(join(folder, 'package-lock.json')))
    return;
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    dependencies: Readonly<Record<string, string>>;
  };
  say(`installs into ${FOLDER}/node_modules (about 800 MB), from the npm registry:`);
  for (const [name, version] of Object.entries(dependencies)) say(`  ${name} ${version}`);
  // Not `npm ci`: a mirror that lacks what only other platforms need would fail it.
  const child = spawn('npm', ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: folder,
    stdio: ['ignore', 2, 2],
  });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`npm install in ${FOLDER} ended with ${code}`);
}

/** Zero for what is not there. */
function changedAt(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
