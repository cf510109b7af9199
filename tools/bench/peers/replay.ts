/**
 * Replay of a run of some 6,000 events beside the worker of Temporal: `npm run bench -- replay --peers`. Both do one piece of work after the other and have the
 * same arguments and results in their events. Of 6,000 events ours hold 3,000 effects, theirs 1,000 activities: six events each, with the workflow tasks.
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
