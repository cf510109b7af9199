/**
 * Measures what the doors cost: `npm run bench -- doors`. The provider, the model door, a bare proxy, the tool gateway
 * and the client are separate processes. Calls with and without a door alternate. Then pi starts without a host, and on
 * hosts with and without a sandbox.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request as requestHttp } from 'node:http';
import { sandboxedCopies } from './doors/copies.ts';
import { median, rounded, timed } from './doors/measure.ts';
import { starts } from './doors/starts.ts';
import { toolCalls } from './doors/tool-calls.ts';

const CALLS = 400;
const STREAMS = 100;
const CHUNKS = 60;
/** 50 tokens per second, as a fast provider. */
const INTERVAL_MS = 20;
const ROUNDS = 9;

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

/**
 * The share of the throughput that the door costs, in percent. A bare proxy of the same HTTP server, which checks and
 * measures nothing, shows how much of it any process in between costs. The order changes with every round.
 */
async function throughput(direct: Endpoint, proxy: Endpoint, runs: readonly Endpoint[], intervalMs: number) {
  const ways = { direct: [direct], proxy: [proxy], door: runs };
  const names = Object.keys(ways) as (keyof typeof ways)[];
  const rates = { direct: [] as number[], proxy: [] as number[], door: [] as number[] };
  for (let round = 0; round < ROUNDS; round += 1)
    for (let nth = 0; nth < names.length; nth += 1) {
      const name = names[(round + nth) % names.length] as keyof typeof ways;
      rates[name].push(await rate(ways[name], intervalMs));
    }
  const without = median(rates.direct);
  const lost = (name: keyof typeof ways): number => rounded(100 * (1 - median(rates[name]) / without), 1);
  return {
    withoutDoorMBPerS: rounded(without / 1e6),
    bareProxyLostPercent: lost('proxy'),
    lostPercent: lost('door'),
  };
}

/** The CPU time of a process in between, in milliseconds for each call. It hardly depends on the load of the machine. */
async function cpuPerCall(endpoint: Endpoint, child: ChildProcess, body: object): Promise<number> {
  const before = await cpuMs(child);
  for (let n = 0; n < CALLS; n += 1) await call(endpoint, body);
  return rounded(((await cpuMs(child)) - before) / CALLS, 3);
}

async function cpuMs(child: ChildProcess): Promise<number> {
  child.send('cpu');
  const [{ user, system }] = await once(child, 'message');
  return (user + system) / 1000;
}

const start = async (module: string, ...args: string[]) => {
  const child = fork(new URL(module, import.meta.url), args, { execArgv: process.execArgv });
  const [message] = await once(child, 'message');
  return { child, message };
};

const provider = await start('./doors/provider.ts');
const host = await start('./doors/door.ts', provider.message as string);
const bare = await start('./doors/bare-proxy.ts', provider.message as string);
const direct = { baseUrl: provider.message as string, apiKey: 'sk-provider' };
const proxy = { baseUrl: bare.message as string, apiKey: 'sk-provider' };
const runs = host.message as readonly Endpoint[];
const door = runs[0] as Endpoint;
const stream = { stream: true, chunks: CHUNKS };
await latency(direct, door);
const results = {
  'one call': {
    ...(await latency(direct, door)),
    doorCpuMs: await cpuPerCall(door, host.child, {}),
    bareProxyCpuMs: await cpuPerCall(proxy, bare.child, {}),
    [`doorCpuMsOf${CHUNKS}Deltas`]: await cpuPerCall(door, host.child, stream),
    [`bareProxyCpuMsOf${CHUNKS}Deltas`]: await cpuPerCall(proxy, bare.child, stream),
  },
  [`${STREAMS} streams, ${1000 / INTERVAL_MS} tokens/s each`]: await throughput(direct, proxy, runs, INTERVAL_MS),
  [`${STREAMS} streams, as fast as possible`]: await throughput(direct, proxy, runs, 0),
  'one tool call': await toolCalls(),
  'first call of pi': await starts(),
  'copy of a setup with 1,000 files': await sandboxedCopies(),
};
console.log(JSON.stringify(results, null, process.argv.includes('--json') ? 0 : 2));
for (const { child } of [host, bare, provider]) child.disconnect();
agent.destroy();
