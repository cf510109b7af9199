import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installChartTools } from './chart-tools.mjs';
import { nodeOf, run } from './commands.mjs';
import { withProgress } from './progress.mjs';

/** The root of the repository. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

/**
 * Installs missing parts. Needs only Node 20 or newer and npm. Steps that are already done return at once.
 * `servers` lists the servers to install; omit servers that you provide yourself. `forTests`: also what only tests need.
 * Resolves to the results of the steps: {name, did, ms, bytes?}.
 */
export async function setUp({ root = ROOT, log, servers = ['nats', 'postgres'], forTests = true }) {
  const steps = [];
  const step = async (name, work, usual) => {
    const since = performance.now();
    const outcome = await withProgress(usual === undefined ? name : `${name} (${usual})`, log, work);
    const done = { name, ms: Math.round(performance.now() - since), ...outcome };
    steps.push(done);
    if (done.installed) log(`setup: ${describe(done)}`);
  };
  await step('dependencies', () => dependencies(root, log), 'takes one to three minutes the first time');
  await step('Node 24', () => node24(root));
  await step('setup code', () => compile(root));
  await step('bubblewrap', () => bubblewrap(root, log));
  for (const server of servers) await step(`${server} server`, (doing) => serverPart(root, server, log, doing));
  if (forTests) await step('chart tools', (doing) => installChartTools(root, doing));
  return steps;
}

/** Formats the result of a step as one line. */
export function describe({ name, did, ms, bytes }) {
  const size = bytes === undefined ? '' : `, ${(bytes / 1e6).toFixed(1)} MB`;
  return `${name}: ${did} (${(ms / 1000).toFixed(1)} s${size})`;
}

/**
 * Installs the dependencies if the lock file has changed since the last installation. Uses `npm install`, because `npm ci` rejects a lock
 * file without the optional packages of this platform. `--no-save` keeps the lock file unchanged.
 */
async function dependencies(root, log) {
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  const stamp = join(root, 'node_modules', '.reins-lock');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return { did: 'up to date' };
  log('setup: npm install …');
  await run('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: root });
  writeFileSync(stamp, lock);
  return { did: 'installed by npm', installed: true };
}

/** Checks that Node 24 is installed. The npm package `node` downloads it in an install script. */
async function node24(root) {
  const version = await run(nodeOf(root), ['--version'], { cwd: root, quiet: true }).catch(() => undefined);
  if (version?.startsWith('v24.')) return { did: `found, ${version.trim()}` };
  throw new Error(
    'Node 24 is missing: npm did not run the install scripts. Run `npm rebuild node --ignore-scripts=false`.',
  );
}

/** Compiles the code that the next steps use. */
async function compile(root) {
  await run('tsc', ['-b', 'libs/embedded'], { cwd: root, quiet: true });
  return { did: 'compiled' };
}

/**
 * Installs bubblewrap, which confines authored processes, if this account may install Debian packages. Nothing fails without
 * it: Reins then uses what the host has, and `reins doctor` reports that.
 */
async function bubblewrap(root, log) {
  if (process.platform !== 'linux') return { did: 'not available on this platform' };
  const quiet = { cwd: root, quiet: true };
  const version = () => run('bwrap', ['--version'], quiet).catch(() => undefined);
  const found = await version();
  if (found) return { did: `found, ${found.trim()}` };
  if (process.getuid() !== 0 || !existsSync('/usr/bin/apt-get'))
    return { did: 'missing; install the package bubblewrap' };
  log('setup: apt-get install bubblewrap …');
  try {
    await run('apt-get', ['update', '-qq'], quiet);
    await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'bubblewrap'], quiet);
  } catch (error) {
    return { did: `missing; apt-get could not install it: ${error.message.split('\n').at(-1)}` };
  }
  return { did: `installed by apt-get, ${(await version())?.trim()}`, installed: true };
}

/** Finds or installs a server. Its progress is logged as it happens; the last line of its output is the result. */
async function serverPart(root, server, log, doing) {
  const script = fileURLToPath(new URL('./server.mjs', import.meta.url));
  let result = '';
  const onLine = (line) => {
    result = line;
    if (line.startsWith('{')) return;
    log(`setup: ${line}`);
    doing(line.replace(/ …$/, ''));
  };
  await run(nodeOf(root), [script, server, join(root, '.reins')], { cwd: root, quiet: true, onLine }).catch((error) => {
    throw new Error(error.message.split('\n').slice(1).join('\n') || error.message);
  });
  return JSON.parse(result);
}
