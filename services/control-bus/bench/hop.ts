/**
 * Measures effects of a worker in another process, in 1, 50 and 500 concurrent runs: `npm run bench -- hop`.
 * For comparison, a bare hop sends the same messages over the same NATS server: a request on EVENTS, consumed in the
 * other process; its answer on INBOX, consumed here; a compare-and-set append; the fact and the next request; all
 * acknowledgements. Both alternate.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Msg } from '@nats-io/nats-core';
import { connect } from '@nats-io/transport-node';
import { ACK, BareClient, type Sample, sampleOf } from './bare-client.ts';
import { OwnerBench } from './owner.ts';

const ROUNDS = 5;
/** Hops per run: enough that its start and end hardly count. */
const HOPS = { 1: 200, 50: 20, 500: 6 } as const;
type Runs = keyof typeof HOPS;
/** A durable without a worker in this benchmark. */
const BARE_DURABLE = 'runtime-prepare-requested';
const BARE_SUBJECT = 'runtime.prepare.requested.ws';
const BARE_FACT = 'runtime.prepare.completed.ws';
/** The inbox of an unowned partition. */
const BARE_INBOX = 'inbox.9';

const bench = await OwnerBench.start({
  caller: async (context, { inputs }) => {
    for (let n = 0; n < Number(inputs.input); n += 1) await context.effect('plan', { revision: 'a'.repeat(64) });
    return null;
  },
});
const worker = fork(fileURLToPath(new URL('./hop-worker.ts', import.meta.url)), [bench.url, BARE_DURABLE]);
await once(worker, 'message');

let rounds = 0;

/** @returns hops per second */
async function ours(runs: Runs): Promise<number> {
  rounds += 1;
  const ids = Array.from({ length: runs }, (_, run) => `r${rounds}-${run}`);
  const startedAt = performance.now();
  await bench.submitUntil('runtime.request.completed', ids, 'caller', HOPS[runs]);
  return (runs * HOPS[runs] * 1000) / (performance.now() - startedAt);
}

const KINDS = {
  request: 'runtime.plan.requested.>',
  fact: 'runtime.plan.compiled.>',
  answer: 'inbox.*.runtime.plan.compiled.>',
  commit: 'journal.>',
} as const;

/** One message of each kind, recorded in the middle of a run. */
async function samples(): Promise<Readonly<Record<keyof typeof KINDS, Sample>>> {
  const seen = Object.values(KINDS).map((subject) => {
    const found: Sample[] = [];
    const callback = (_: unknown, message: Msg): unknown => found.push(sampleOf(message));
    return { found, subscription: bench.bus.nc.subscribe(subject, { callback }) };
  });
  await ours(1);
  for (const { subscription } of seen) subscription.unsubscribe();
  const [request, fact, answer, commit] = seen.map(({ found }) => found[found.length >> 1] as Sample);
  return { request, fact, answer, commit } as Record<keyof typeof KINDS, Sample>;
}

const sample = await samples();
worker.send({ answer: { headers: sample.answer.headers, data: [...sample.answer.data] } });
await once(worker, 'message');
const plain = await connect({ servers: bench.url, noAsyncTraces: true });
const client = new BareClient(plain);
const { name: inboxDurable } = await bench.bus.jsm.consumers.add('INBOX', {
  durable_name: 'bare-hops',
  ack_policy: 'explicit',
  filter_subject: `${BARE_INBOX}.>`,
  max_ack_pending: 4096,
});
const answers = new Map<string, (message: Msg) => void>();
client.pull('INBOX', inboxDurable, (message) => answers.get(message.subject)?.(message));

/** Sends the same messages in the same order, each after the previous one is stored. Nothing is parsed, hashed or kept. */
async function bareRun(run: string, hops: number): Promise<void> {
  const [request, fact, journal] = [`${BARE_SUBJECT}.${run}`, `${BARE_FACT}.${run}`, `journal.9.ws.${run}`];
  const reply = `${BARE_INBOX}.runtime.prepare.completed.ws.${run}.ef`;
  const ids = (what: string, hop: number): Record<string, string> => {
    const id = `${run}-${what}-${hop}`;
    return { 'Nats-Msg-Id': id, 'ce-id': id };
  };
  const ask = (hop: number) =>
    client.publish(request, sample.request, { ...ids('request', hop), 'reins-reply': reply });
  let expected = 0;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let hop = 0;
  const answered = async (message: Msg): Promise<void> => {
    hop += 1;
    const place = { 'Nats-Msg-Id': `${run}-${hop}`, 'Nats-Expected-Last-Subject-Sequence': String(expected) };
    expected = await client.publish(journal, sample.commit, place);
    const published = client.publish(fact, sample.fact, ids('fact', hop));
    await Promise.all(hop < hops ? [published, ask(hop)] : [published]);
    message.respond(ACK);
    if (hop === hops) resolve();
  };
  answers.set(reply, (message) => void answered(message).catch(reject));
  await ask(0);
  await promise;
  answers.delete(reply);
}

async function bare(runs: Runs): Promise<number> {
  rounds += 1;
  const ids = Array.from({ length: runs }, (_, run) => `b${rounds}-${run}`);
  const startedAt = performance.now();
  await Promise.all(ids.map((run) => bareRun(run, HOPS[runs])));
  return (runs * HOPS[runs] * 1000) / (performance.now() - startedAt);
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] as number;
const result: Record<string, object> = {};
for (const runs of [1, 50, 500] as const) {
  await ours(runs);
  await bare(runs);
  const rows: { readonly ours: number; readonly bare: number; readonly cpu: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = process.cpuUsage();
    const speed = await ours(runs);
    const { user, system } = process.cpuUsage(before);
    rows.push({ ours: speed, bare: await bare(runs), cpu: (user + system) / (runs * HOPS[runs]) });
  }
  result[runs === 1 ? 'one run' : `${runs} runs at once`] = {
    hopsPerSecond: Math.round(median(rows.map((row) => row.ours))),
    barePerSecond: Math.round(median(rows.map((row) => row.bare))),
    ratio: median(rows.map((row) => row.ours / row.bare)),
    cpuMicrosOfOneHopHere: Math.round(median(rows.map(({ cpu }) => cpu))),
  };
}
console.log(JSON.stringify(result, null, process.argv.includes('--json') ? 0 : 2));
worker.disconnect();
await plain.close();
await bench.stop();
process.exit(0);
