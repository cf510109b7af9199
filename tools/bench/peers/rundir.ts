/**
 * Runs in a run directory beside the published SDK of babysitter, on the same disk: `npm run bench -- rundir --peers`. Where: the folder for temporary files
 * (`TMPDIR`).
 */
import { tmpdir } from 'node:os';
import { Race, type Standing } from './race.ts';

const ROUNDS = 5;
/** No larger ones in rounds: the peer reads all of its journal again for every step, and so takes minutes for a run of 1,000. */
const SIZES = [10, 100];

const race = await Race.start([
  { name: 'reins', module: 'libs/replay/bench/contestant.ts' },
  { name: 'babysitter', module: 'tools/bench/peers/babysitter.ts' },
]);
try {
  const result: Record<string, Standing[] | string> = { folder: tmpdir() };
  for (const steps of SIZES) result[`${steps} steps`] = await race.run({ steps }, steps, ROUNDS);
  console.log(JSON.stringify(result, null, process.argv.includes('--json') ? 0 : 2));
} finally {
  await race.stop();
}
