/**
 * Compares runs in a run directory with the published SDK of babysitter, on the same disk: `npm run bench -- rundir --peers`. The directories
 * are in the temporary folder (`TMPDIR`).
 */
import { tmpdir } from 'node:os';
import { Race, type RaceResult } from './race.ts';

const ROUNDS = 5;
/** No larger runs: the peer reads its whole journal again for every step, so a run of 1,000 steps takes minutes. */
const SIZES = [10, 100];

const race = await Race.start([
  { name: 'reins', module: 'libs/replay/bench/contestant.ts' },
  { name: 'babysitter', module: 'tools/bench/peers/babysitter.ts' },
]);
try {
  const result: Record<string, RaceResult[] | string> = { folder: tmpdir() };
  for (const steps of SIZES) result[`${steps} steps`] = await race.run({ steps }, steps, ROUNDS);
  console.log(JSON.stringify(result, null, process.argv.includes('--json') ? 0 : 2));
} finally {
  await race.stop();
}
