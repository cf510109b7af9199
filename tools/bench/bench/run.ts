/**
 * Measures short requests from `POST /requests` to the terminal event on the stream, in a complete system: `reins up` with one process for
 * all services, its own NATS and Postgres, and default settings. Each request is compile (cached) → prepare → one stage on `echo` →
 * completed. `--json` prints one JSON document.
 */
import { type Client, type Reins, startReins } from './system.ts';

/** Requests before the measurement, because new services are slow at first: mostly until V8 has compiled their code. */
const WARM_UP = 512;
const ROUNDS = 5;
const IDLE = 30;
const AT_ONCE = 64;
const LOADED = 256;

const system = await startReins();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => system.stop().then(() => process.exit(1)));
try {
  const result = await measure(system);
  console.log(JSON.stringify(result, null, process.argv.includes('--json') ? 0 : 2));
} finally {
  await system.stop();
}

async function measure({ client }: Reins): Promise<object> {
  await client.upload();
  await atOnce(client, WARM_UP, AT_ONCE);
  const idle: number[] = [];
  const loaded: number[] = [];
  const speeds: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    idle.push(...(await inTurn(client, IDLE)));
    const since = performance.now();
    loaded.push(...(await atOnce(client, LOADED, AT_ONCE)));
    speeds.push((LOADED * 1000) / (performance.now() - since));
  }
  const perSecond = speeds.toSorted((a, b) => a - b)[ROUNDS >> 1];
  return {
    'one after the other': { requests: ROUNDS * IDLE, ...spread(idle) },
    [`${AT_ONCE} at once`]: { requests: ROUNDS * LOADED, perSecond, ...spread(loaded) },
  };
}

async function inTurn(client: Client, count: number): Promise<number[]> {
  return atOnce(client, count, 1);
}

/** Submits `count` requests with `open` of them open at any time. Returns the milliseconds of each. */
async function atOnce(client: Client, count: number, open: number): Promise<number[]> {
  const times: number[] = [];
  let started = 0;
  const worker = async (): Promise<void> => {
    while (started < count) {
      started += 1;
      const since = performance.now();
      await client.complete();
      times.push(performance.now() - since);
    }
  };
  await Promise.all(Array.from({ length: open }, worker));
  return times;
}

function spread(times: readonly number[]): { readonly p50Ms: number; readonly p95Ms: number; readonly maxMs: number } {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50Ms: at(0.5), p95Ms: at(0.95), maxMs: at(1) };
}
