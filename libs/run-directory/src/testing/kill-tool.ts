/**
 * Kills writers of run directories with SIGKILL and checks that nothing is lost: `npm run kills:rundir -- [--kills
 * 1000] [--seed 1] [--points]`. Kills at random moments; with `--points`, before, after and in the middle of every
 * write of a run, and with a full disk from each write on. Prints failures with the plan that reproduces them, and
 * exits with 1 when there was one.
 */
import { parseArgs } from 'node:util';
import { FAULTS } from './faulty-fs.ts';
import { problemsAfter, runWriter, type WriterPlan } from './kills.ts';
import { RunsFolder } from './runs-folder.ts';

/** Commits of a run for which every write is tried. */
const COMMITS = 4;
/** How many kills one run goes through. */
const KILLS_PER_RUN = 25;
const CONCURRENCY = 2;

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    points: { type: 'boolean' },
  },
});
const runs = await RunsFolder.make();
const plans = values.points ? await plansForEveryWrite() : randomPlans(Number(values.kills), Number(values.seed));
let [kills, failures] = [0, 0];

await Promise.all(Array.from({ length: CONCURRENCY }, work));
console.log(JSON.stringify({ kills, failures }));
await runs.remove();
process.exit(failures > 0 ? 1 : 0);

async function work(): Promise<void> {
  for (let row = plans.shift(); row; row = plans.shift()) {
    const run = runs.newRun();
    for (const plan of row) {
      const acknowledged = await runWriter(runs, run, plan);
      const wrong = await problemsAfter(runs, run, acknowledged).catch((error) => [String(error)]);
      kills += 1;
      if (wrong.length === 0) continue;
      failures += 1;
      console.log(JSON.stringify({ run: run.runId, plan, wrong }));
    }
  }
}

async function plansForEveryWrite(): Promise<WriterPlan[][]> {
  const { writes = 0 } = await runWriter(runs, runs.newRun(), { seed: 1, commits: COMMITS });
  const points = Array.from({ length: writes }, (_, n) => n + 1);
  return FAULTS.flatMap((fault) => points.map((at) => [{ seed: 1, commits: COMMITS, fault, at }]));
}

function randomPlans(count: number, seed: number): WriterPlan[][] {
  const next = numbers(seed);
  return Array.from({ length: Math.ceil(count / KILLS_PER_RUN) }, (_, row) =>
    Array.from({ length: Math.min(KILLS_PER_RUN, count - row * KILLS_PER_RUN) }, (_, kill) => {
      return { seed: kill * 1_000, killAfter: 1 + Math.floor(next() * 12), delayMs: Math.floor(next() * 6) };
    }),
  );
}

/** A pseudo-random generator of numbers from 0 to 1 (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
