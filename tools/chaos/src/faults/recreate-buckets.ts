import type { System } from '@reins/supervisor';
import { connectOperator } from '../system/connect.ts';

/**
 * The streams of buckets whose content services write again, or have read. The others hold the only copy of what they
 * store, such as API keys, claims and sessions.
 */
const BUCKETS = ['KV_leases', 'KV_harnesses', 'KV_controls'] as const;

/** Deletes the buckets and creates them again, empty, with the same configuration. */
export async function recreateBuckets(system: System): Promise<undefined> {
  await system.ready('nats');
  const bus = await connectOperator(system, 'chaos-buckets');
  const { streams } = bus.jsm;
  try {
    for (const name of BUCKETS) {
      const { config } = await streams.info(name);
      await streams.delete(name);
      await streams.add(config);
    }
  } finally {
    await bus.close();
  }
}
