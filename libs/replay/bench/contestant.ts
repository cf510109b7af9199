/**
 * Runs replay and run directories as one side of a comparison. The parent process sends a task and gets the
 * milliseconds that it took. `{events}`: replays a journal with that many entries. `{steps}`: runs that many local steps in a
 * run directory. For `npm run bench -- replay rundir --peers`.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Coroutine } from '../src/index.ts';
import { RUN, recorded, sequential } from './recorded-run.ts';
import { runSteps } from './rundir.ts';

interface Task {
  readonly events?: number;
  readonly steps?: number;
}

const root = await mkdtemp(join(tmpdir(), 'reins-bench-'));
const journals = new Map<number, Awaited<ReturnType<typeof recorded>>['entries']>();
let runs = 0;

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function replayed(events: number): Promise<number> {
  const definition = sequential(events / 2);
  const entries = journals.get(events) ?? (await recorded(definition)).entries;
  journals.set(events, entries);
  return timed(async () => {
    const { turn } = await Coroutine.replay(definition, { run: RUN, entries });
    if (turn.state !== 'completed') throw new Error(`the replay is ${turn.state}`);
  });
}

process.on('message', async ({ events, steps }: Task) => {
  runs += 1;
  const ms =
    events === undefined ? await timed(() => runSteps(root, `run-${runs}`, steps ?? 0)) : await replayed(events);
  process.send?.({ ms });
});
process.once('disconnect', () => rm(root, { recursive: true, force: true }).finally(() => process.exit(0)));
process.send?.({ ready: true });
