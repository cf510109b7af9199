import { join } from 'node:path';
import { become, nodeOf, run } from './commands.mjs';
import { ROOT, setUp } from './setup.mjs';

/** `npm start`: installs what is missing, builds, and becomes `reins up`. Standard output is left to that alone. */
const servers = [
  ...(process.env.REINS_NATS_URL ? [] : ['nats']),
  ...(process.env.REINS_DATABASE_URL ? [] : ['postgres']),
];
try {
  await setUp({ log: (line) => console.error(line), servers });
  await run('tsc', ['-b'], { cwd: ROOT });
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
await become(
  nodeOf(ROOT),
  [join(ROOT, 'tools', 'cli', 'dist', 'main.js'), 'up', '--quickstart', ...process.argv.slice(2)],
  ROOT,
);
