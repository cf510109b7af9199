/**
 * Compares durable local steps with those of DBOS and Restate, in one workflow and in 50 concurrent ones: `npm run bench -- effects --peers`.
 * Each peer runs twice: with default settings, which sync every commit to the disk, and without syncs, like NATS between two syncs.
 */
import { type Entrant, Race, type RaceResult } from './race.ts';

const ROUNDS = 5;
/** Steps of each workflow: enough to make its start and end insignificant. */
const STEPS = { 1: 1000, 50: 100 } as const;

const ENTRANTS: readonly Entrant[] = [
  { name: 'reins', module: 'services/control-bus/bench/steps.ts', built: true },
  { name: 'dbos', module: 'tools/bench/peers/dbos.ts' },
  { name: 'restate', module: 'tools/bench/peers/restate.ts' },
  { name: 'dbos without fsync', module: 'tools/bench/peers/dbos.ts', args: ['--no-fsync'] },
  { name: 'restate without fsync', module: 'tools/bench/peers/restate.ts', args: ['--no-fsync'] },
];

const race = await Race.start(ENTRANTS);
try {
  const result: Record<string, RaceResult[]> = {};
  for (const runs of [1, 50] as const) {
    const task = { runs, steps: STEPS[runs] };
    result[runs === 1 ? 'one workflow' : `${runs} workflows at once`] = await race.run(
      task,
      runs * STEPS[runs],
      ROUNDS,
    );
  }
  console.log(JSON.stringify(result, null, process.argv.includes('--json') ? 0 : 2));
} finally {
  await race.stop();
}
