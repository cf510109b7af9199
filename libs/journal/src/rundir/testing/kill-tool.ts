/**
 * Ends writers of run directories with SIGKILL and looks whether anything is lost: `npm run kills:rundir -- [--kills 1000] [--seed 1] [--points]`.
 * At random moments, so many times; with `--points`, before, after and in the middle of every single write of a run, and with a full disk from each
 * of them on. What went wrong is printed with what shows it again; exit code 1 when there was anything.
 */
import { parseArgs } from 'node:util';
import { FAULTS } from './faulty-fs.ts';
import { runWriter, type WriterPlan, wrongAfter } from './kills.ts';
import { RunsFolder } from './runs-folder.ts';

/** Commits of a run whose every write is tried. */
const COMMITS = 4;
/** Kills that one run has to outlive. */
const KILLS_OF_A_RUN = 25;
const AT_ONCE = 2;

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    points: { type: 'boolean' },
  },
});
const runs = await RunsFolder.make();
const plans = values.points ? await everyWrite() : atRandom(Number(values.kills), Number(values.seed));
let [kills, failures] = [0, 0];

await Promise.all(Array.from({ length: AT_ONCE }, work));
console.log(JSON.stringify({ kills, failures }));
await runs.remove();
process.exit(failures > 0 ? 1 : 0);

async function work(): Promise<void> {
  for (let row = plans.shift(); row; row = plans.shift()) {
    const run = runs.newRun();
    for (const plan of row) {
      const told = await runWriter(runs, run, plan);
      const wrong = await wrongAfter(runs, run, told).catch((error) => [String(error)]);
      kills += 1;
      if (wrong.length === 0) continue;
      failures += 1;
      console.log(JSON.stringify({ run: run.runId, plan, wrong }));
    }
  }
}

async function everyWrite(): Promise<WriterPlan[][]> {
  const { writes = 0 } = await runWriter(runs, runs.newRun(), { seed: 1, commits: COMMITS });
  const points = Array.from({ length: writes }, (_, n) => n + 1);
  return FAULTS.flatMap((fault) => points.map((at) => [{ seed: 1, commits: COMMITS, fault, at }]));
}

function atRandom(count: number, seed: number): WriterPlan[][] {
  const next = numbers(seed);
  return Array.from({ length: Math.ceil(count / KILLS_OF_A_RUN) }, (_, row) =>
    Array.from({ length: Math.min(KILLS_OF_A_RUN, count - row * KILLS_OF_A_RUN) }, (_, kill) => {
      return { seed: kill * 1_000, killAfter: 1 + Math.floor(next() * 12), delayMs: Math.floor(next() * 6) };
    }),
  );
}

/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
