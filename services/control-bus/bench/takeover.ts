/**
 * Measures the time from winning a partition's lease until a run of 10,000 entries continues: loaded, verified,
 * replayed, and advanced by a waiting signal. The previous replica stops like a killed one: `npm run bench -- takeover`.
 */
import { OrderedPublisher } from '@reins/bus';
import { inboxSubject, partitionOf } from '@reins/contracts';
import { BusOwner, headOf, PARTITIONS, processesOf } from '../dist/testing/bus-owner.js';
import { OwnerBench } from './owner.ts';

const ROUNDS = 7;
/** Each step has two entries. */
const STEPS = 5_000;
const RUN = 'long';

const processes: Parameters<typeof processesOf>[0] = {
  /** Runs its steps, and then one more for every signal. */
  counter: async (context) => {
    for (let n = 0; n < STEPS; n += 1) await context.step('add', () => n);
    for (;;) {
      await context.signal('go');
      await context.step('add', () => 1);
    }
  },
};

const bench = await OwnerBench.start(processes);
await bench.submitUntil('runtime.request.waiting', [RUN], 'counter', null);
const { state } = await bench.bus.jsm.streams.info('JOURNAL');

let owner = bench.owner;
const commands = new OrderedPublisher(bench.bus);
const times: number[] = [];
for (let round = 0; round < ROUNDS; round += 1) {
  await owner.kill();
  const [resumed, waits] = [nextEvent('runtime.request.resumed'), nextEvent('runtime.request.waiting')];
  await signal(String(round));
  owner = await BusOwner.start(bench.url, processesOf(processes));
  times.push((await resumed) - (owner.wonAt.get(partitionOf(RUN, PARTITIONS)) ?? Number.NaN));
  await waits;
}

const median = Math.round(times.toSorted((a, b) => a - b)[ROUNDS >> 1] as number);
const result = {
  entries: 2 * STEPS,
  commits: state.messages,
  medianMs: median,
  longestMs: Math.round(Math.max(...times)),
};
console.log(JSON.stringify(result, null, process.argv.includes('--json') ? 0 : 2));
await commands.close();
await owner.stop();
await bench.stop();
process.exit(0);

/** Resolves with the time of the run's next event of this type. */
function nextEvent(type: string): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  bench.bus.nc.subscribe(`${type}.ws.${RUN}`, { max: 1, callback: () => resolve(performance.now()) });
  return promise;
}

async function signal(idempotencyKey: string): Promise<void> {
  const type = 'command.signal';
  const body = { type, ...headOf(RUN), idempotencyKey, name: 'go', payload: null };
  const subject = inboxSubject({ type, workspaceId: 'ws', runId: RUN }, PARTITIONS);
  const headers = { id: `${RUN}.${idempotencyKey}`, type, source: 'bench', time: new Date().toISOString() };
  await commands.publishAll([{ subject, data: new TextEncoder().encode(JSON.stringify(body)), headers }]);
}
