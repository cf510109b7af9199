/**
 * Compares short requests over HTTP with workflows of four steps in DBOS and Restate, 64 open at a time: `npm run bench -- run --peers`. A Reins
 * request is a call plus its event stream, with every service and the read model. A peer request is a call that returns when the workflow
 * has ended.
 */
import { Race } from './race.ts';

const ROUNDS = 5;
const TASK = { requests: 128, open: 64, steps: 4 };

const race = await Race.start([
  { name: 'reins', module: 'tools/bench/bench/contestant.ts' },
  { name: 'dbos', module: 'tools/bench/peers/dbos.ts' },
  { name: 'restate', module: 'tools/bench/peers/restate.ts' },
  { name: 'dbos without fsync', module: 'tools/bench/peers/dbos.ts', args: ['--no-fsync'] },
  { name: 'restate without fsync', module: 'tools/bench/peers/restate.ts', args: ['--no-fsync'] },
]);
try {
  // Runs twice: the first race warms up the new systems and is not counted.
  await race.run(TASK, TASK.requests, 1);
  const result = { [`${TASK.open} at once`]: await race.run(TASK, TASK.requests, ROUNDS) };
  console.log(JSON.stringify(result, null, process.argv.includes('--json') ? 0 : 2));
} finally {
  await race.stop();
}
