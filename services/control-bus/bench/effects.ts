/**
 * Measures durable local steps, in one run and in 50 concurrent runs. For comparison, a bare loop appends the same number
 * of commits of the same size by compare-and-set. Both alternate: `npm run bench -- effects`.
 */
import { createInbox, headers } from '@nats-io/nats-core';
import { connect } from '@nats-io/transport-node';
import { OwnerBench } from './owner.ts';

const ROUNDS = 5;
/** Steps per run: enough that its start and end hardly count. */
const STEPS = { 1: 1000, 50: 100 } as const;
type Runs = keyof typeof STEPS;

const bench = await OwnerBench.start({
  counter: async (context, { inputs }) => {
    let sum = 0;
    for (let n = 0; n < Number(inputs.input); n += 1) sum += await context.step('add', () => n);
    return sum;
  },
});
const plain = await connect({ servers: bench.url, noAsyncTraces: true });

let rounds = 0;

async function steps(runs: Runs): Promise<number> {
  rounds += 1;
  const ids = Array.from({ length: runs }, (_, run) => `r${rounds}-${run}`);
  const startedAt = performance.now();
  await bench.submitUntil('runtime.request.completed', ids, 'counter', STEPS[runs]);
  return (runs * STEPS[runs] * 1000) / (performance.now() - startedAt);
}

/** The bare loop: one reply inbox, and one promise per response. */
async function bare(runs: Runs, bytes: number): Promise<number> {
  rounds += 1;
  const round = rounds;
  const inbox = createInbox();
  const waiting = new Map<string, (seq: number) => void>();
  const subscription = plain.subscribe(`${inbox}.*`, {
    callback: (_, reply) => {
      const token = reply.subject.slice(inbox.length + 1);
      waiting.get(token)?.(reply.json<{ seq: number }>().seq);
      waiting.delete(token);
    },
  });
  const data = new Uint8Array(bytes).fill(0x78);
  const count = STEPS[runs];
  const chain = async (run: number): Promise<void> => {
    const subject = `journal.0.bare.r${round}-${run}`;
    let expected = 0;
    for (let step = 0; step < count; step += 1) {
      const all = headers();
      all.set('Nats-Msg-Id', `${subject}-${step}`);
      all.set('Nats-Expected-Last-Subject-Sequence', String(expected));
      const token = `${run}-${step}`;
      expected = await new Promise<number>((resolve) => {
        waiting.set(token, resolve);
        plain.publish(subject, data, { reply: `${inbox}.${token}`, headers: all });
      });
    }
  };
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: runs }, (_, run) => chain(run)));
  subscription.unsubscribe();
  return (runs * count * 1000) / (performance.now() - startedAt);
}

/** The average size of a commit without its headers. */
async function commitBytes(): Promise<number> {
  const { state } = await bench.bus.jsm.streams.info('JOURNAL');
  return Math.round(state.bytes / Math.max(1, state.messages)) - 150;
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] as number;
const result: Record<string, object> = {};
for (const runs of [1, 50] as const) {
  await steps(runs);
  const bytes = await commitBytes();
  await bare(runs, bytes);
  const [ours, theirs, cpu]: number[][] = [[], [], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = process.cpuUsage();
    ours?.push(await steps(runs));
    const { user, system } = process.cpuUsage(before);
    cpu?.push((user + system) / (runs * STEPS[runs]));
    theirs?.push(await bare(runs, bytes));
  }
  result[runs === 1 ? 'one run' : `${runs} runs at once`] = {
    stepsPerSecond: Math.round(median(ours ?? [])),
    barePerSecond: Math.round(median(theirs ?? [])),
    ratio: median((ours ?? []).map((speed, round) => speed / (theirs?.[round] as number))),
    cpuMicrosOfOneStep: Math.round(median(cpu ?? [])),
    commitBytes: bytes,
  };
}
console.log(JSON.stringify(result, null, process.argv.includes('--json') ? 0 : 2));
await plain.close();
await bench.stop();
process.exit(0);
