import './node-version.mjs';
import { join } from 'node:path';
import { execProgram, nodeOf, run } from './commands.mjs';
import { withProgress } from './progress.mjs';
import { ROOT, setUp } from './setup.mjs';

/** `npm start`: installs missing parts, builds, and runs `reins up`. Setup output goes to standard error. */
const log = (line) => console.error(line);
const servers = [
  ...(process.env.REINS_NATS_URL ? [] : ['nats']),
  ...(process.env.REINS_DATABASE_URL ? [] : ['postgres']),
];
try {
  await setUp({ log, servers, forTests: false });
  await withProgress('compiling (takes about a minute the first time)', log, () => run('tsc', ['-b'], { cwd: ROOT }));
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
await execProgram(
  nodeOf(ROOT),
  [join(ROOT, 'tools', 'cli', 'dist', 'main.js'), 'up', '--quickstart', ...process.argv.slice(2)],
  ROOT,
);
