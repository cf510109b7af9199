/**
 * Measures what the model door adds to model calls: `npm run bench -- doors`. The provider, the door and the client are
 * separate processes. Calls with and without the door alternate.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request as requestHttp } from 'node:http';

const CALLS = 400;
const STREAMS = 100;
const CHUNKS = 60;
/** 50 tokens per second, as a fast provider. */
const INTERVAL_MS = 20;
const ROUNDS = 5;

interface Endpoint {
  readonly baseUrl: string;
  readonly apiKey: string;
}

const agent = new Agent({ keepAlive: true });

/** Sends a call. Resolves with the bytes of its answer. */
async function call({ baseUrl, apiKey }: Endpoint, body: object): Promise<number> {
  const sent = requestHttp(`${baseUrl}/chat/completions`, {
    method: 'POST',
    agent,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
  });
  sent.end(JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hello. '.repeat(100) }], ...body }));
  const [reply] = await once(sent, 'response');
  if (reply.statusCode !== 200) throw new Error(`a call failed with ${reply.statusCode}`);
  let bytes = 0;
  for await (const part of reply) bytes += part.length;
  return bytes;
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await run();
  return performance.now() - from;
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
const rounded = (value: number, digits = 2): number => Number(value.toFixed(digits));

/** The median of a call without the door, and of what the door adds to the call after it. */
async function latency(direct: Endpoint, door: Endpoint) {
  const without: number[] = [];
  const added: number[] = [];
  for (let n = 0; n < CALLS; n += 1) {
    const one = await timed(() => call(direct, {}));
    without.push(one);
    added.push((await timed(() => call(door, {}))) - one);
  }
  return { withoutDoorMs: rounded(median(without)), addedP50Ms: rounded(median(added)) };
}

/** The bytes per second of concurrent streams. */
async function rate(endpoints: readonly Endpoint[], intervalMs: number): Promise<number> {
  const body = { stream: true, chunks: CHUNKS, intervalMs };
  const from = performance.now();
  const streams = Array.from({ length: STREAMS }, (_, n) => endpoints[n % endpoints.length] as Endpoint);
  const bytes = await Promise.all(streams.map((endpoint) => call(endpoint, body)));
  return bytes.reduce((sum, each) => sum + each, 0) / ((performance.now() - from) / 1000);
}

/** The share of the throughput that the door costs, in percent: the median of alternating rounds. */
async function throughput(direct: Endpoint, runs: readonly Endpoint[], intervalMs: number) {
  const without: number[] = [];
  const lost: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const plain = await rate([direct], intervalMs);
    without.push(plain);
    lost.push(100 * (1 - (await rate(runs, intervalMs)) / plain));
  }
  return { withoutDoorMBPerS: rounded(median(without) / 1e6), lostPercent: rounded(median(lost), 1) };
}

/** The CPU time of the door, in milliseconds for each call. It hardly depends on other load of the machine. */
async function cpuPerCall(door: Endpoint, cpuMs: () => Promise<number>, body: object): Promise<number> {
  const before = await cpuMs();
  for (let n = 0; n < CALLS; n += 1) await call(door, body);
  return rounded(((await cpuMs()) - before) / CALLS, 3);
}

const start = async (module: string, ...args: string[]) => {
  const child = fork(new URL(module, import.meta.url), args, { execArgv: process.execArgv });
  const [message] = await once(child, 'message');
  return { child, message };
};

const provider = await start('./doors/provider.ts');
const host = await start('./doors/door.ts', provider.message as string);
const direct = { baseUrl: provider.message as string, apiKey: 'sk-provider' };
const doorCpuMs = async (): Promise<number> => {
  host.child.send('cpu');
  const [{ user, system }] = await once(host.child, 'message');
  return (user + system) / 1000;
};
const runs = host.message as readonly Endpoint[];
const door = runs[0] as Endpoint;
await latency(direct, door);
const results = {
  'one call': {
    ...(await latency(direct, door)),
    doorCpuMs: await cpuPerCall(door, doorCpuMs, {}),
    [`doorCpuMsOf${CHUNKS}Deltas`]: await cpuPerCall(door, doorCpuMs, { stream: true, chunks: CHUNKS }),
  },
  [`${STREAMS} streams, ${1000 / INTERVAL_MS} tokens/s each`]: await throughput(direct, runs, INTERVAL_MS),
  [`${STREAMS} streams, as fast as possible`]: await throughput(direct, runs, 0),
};
console.log(JSON.stringify(results, null, process.argv.includes('--json') ? 0 : 2));
for (const { child } of [host, provider]) child.disconnect();
agent.destroy();
