/**
 * Compares the replay of about 6,000 events with the Temporal worker: `npm run bench -- replay --peers`. Both run sequential work with the same
 * arguments and results. 6,000 events are 3,000 effects in Reins, and 1,000 activities in Temporal: six events each, with workflow tasks.
 */
import { Race } from './race.ts';

const ROUNDS = 7;
const EVENTS = 6000;

const race = await Race.start([
  { name: 'reins', module: 'libs/replay/bench/contestant.ts' },
  { name: 'temporal', module: 'tools/bench/peers/temporal.ts' },
]);
try {
  const result = { [`${EVENTS} events`]: await race.run({ events: EVENTS }, EVENTS, ROUNDS) };
  console.log(JSON.stringify(result, null, process.argv.includes('--json') ? 0 : 2));
} finally {
  await race.stop();
}
