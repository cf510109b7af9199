/**
 * Measures runs of local steps in a run directory: `node --conditions=reins-source bench/rundir.ts [steps …] [--json]`
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RunDirectoryStore } from '@reins/run-directory';
import { LocalRun, type ProcessDefinition } from '../src/index.ts';
import { type Measure, measure, print, sizes } from './measure.ts';
import { RUN } from './recorded-run.ts';

const steps = (count: number): ProcessDefinition => ({
  id: 'steps',
  codeHash: 'v1',
  run: async (ctx) => {
    let sum = 0;
    for (let i = 0; i < count; i += 1) sum += await ctx.step('add', () => i);
    return sum;
  },
});

/** Runs `count` steps in a new run directory. */
export async function runSteps(root: string, runId: string, count: number): Promise<void> {
  const [store, run] = [new RunDirectoryStore(root), { ...RUN, runId }];
  const local = await store.exclusively(run, 'bench', () =>
    LocalRun.create({ store, definition: steps(count), run }, { inputs: null }),
  );
  if (local.processState !== 'completed') throw new Error(`the run is ${local.processState}`);
}

export async function rundirBenchmark(count = 1000, rounds = 5): Promise<Measure[]> {
  const root = await mkdtemp(join(tmpdir(), 'reins-bench-'));
  let runs = 0;
  const create = () => {
    runs += 1;
    return runSteps(root, `run-${runs}`, count);
  };
  const open = () =>
    LocalRun.open({
      store: new RunDirectoryStore(root),
      definition: steps(count),
      run: { ...RUN, runId: `run-${runs}` },
    });
  try {
    return [
      await measure(`${count} steps in a run directory`, count, create, rounds),
      await measure('opening it again', 2 * count, open, rounds),
    ];
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

if (process.argv[1] === import.meta.filename) {
  const measured: Measure[] = [];
  for (const count of sizes) measured.push(...(await rundirBenchmark(count, count > 5000 ? 1 : 3)));
  print(sizes.length > 0 ? measured : await rundirBenchmark());
}
