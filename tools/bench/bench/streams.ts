/**
 * Measures the latency of text deltas from an executor to a client, through the bus and the gateway, in a complete system: 500 concurrent
 * requests, each of which emits the time twice a second. `--json` prints one JSON document.
 */
import { startReins } from './system.ts';

const STREAMS = 500;
const TICKS = 24;
/** The first and last ticks of a stream are ignored, because other streams are still being opened or closed then. */
const SKIPPED = 6;

const system = await startReins({
  REINS_HOST_SLOTS: String(STREAMS),
  REINS_GATEWAY_MAX_OPEN_REQUESTS: String(2 * STREAMS),
});
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => system.stop().then(() => process.exit(1)));
try {
  const { client } = system;
  await client.upload();
  await Promise.all(Array.from({ length: 20 }, () => client.complete()));
  const delays: number[] = [];
  const follow = async (): Promise<void> => {
    let ticks = 0;
    await client.complete(`@echo clock ${TICKS}`, (part) => {
      const now = performance.timeOrigin + performance.now();
      for (const [, emittedAt] of part.matchAll(/"text":"(\d{13}\.?\d*) "/g)) {
        ticks += 1;
        if (ticks > SKIPPED && ticks <= TICKS - SKIPPED) delays.push(now - Number(emittedAt));
      }
    });
  };
  await Promise.all(Array.from({ length: STREAMS }, follow));
  const sorted = delays.toSorted((a, b) => a - b);
  const percentile = (fraction: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? 0;
  const result = {
    streams: STREAMS,
    deltas: sorted.length,
    p50Ms: percentile(0.5),
    p95Ms: percentile(0.95),
    p99Ms: percentile(0.99),
  };
  console.log(JSON.stringify(result, null, process.argv.includes('--json') ? 0 : 2));
} finally {
  await system.stop();
}
