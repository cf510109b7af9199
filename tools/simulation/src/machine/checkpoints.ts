import { gzipSync } from 'node:zlib';
import { Checkpoints } from '@reins/control-bus/core';
import type { CheckpointStore, StreamPort } from '@reins/journal';
import type { Server } from '../server/server.ts';
import { PARTITIONS } from '../world/settings.ts';
import { bucketOf } from './buckets.ts';
import type { Machine } from './machine.ts';

/** Entries per part: few enough that short runs have several parts, or more than any run has. */
const EVERY = [2, 7, 1_000] as const;

/** The real `Checkpoints` of the control bus over the simulated server. */
export function simulatedCheckpoints(
  machine: Machine,
  server: Server,
  { log, port }: { readonly log: ConstructorParameters<typeof Checkpoints>[0]['log']; readonly port: StreamPort },
): Checkpoints {
  return new Checkpoints({
    port,
    log,
    checkpoints: checkpointStoreOn(machine, server),
    partitions: PARTITIONS,
    every: machine.random.pick(EVERY),
    // Synchronous compression, so that the simulation stays deterministic.
    compress: async (body) => gzipSync(body),
  });
}

/** Replaces `openCheckpoints` of the journal. */
function checkpointStoreOn(machine: Machine, server: Server): CheckpointStore {
  const bucket = bucketOf(machine, server.checkpoints, 'checkpoint');
  const find: CheckpointStore['find'] = async ({ runId }) => {
    const { value, revision = 0 } = (await bucket.get(runId)) ?? {};
    return value && { checkpoint: value, revision };
  };
  return {
    find,
    get: (part) => machine.call('get part', () => server.getBlob(part)),
    put: (part) => machine.send('put part', () => server.putBlob(part)),
    keep: async ({ runId }, checkpoint, before) => {
      if (before) await bucket.update(runId, checkpoint, before.revision);
      else await bucket.create(runId, checkpoint);
    },
    forget: async (run, kept) => {
      const known = kept ?? (await find(run));
      if (!known) return;
      const { parts } = known.checkpoint;
      const isGone = await machine.call('forget checkpoint', () =>
        server.checkpoints.delete(run.runId, known.revision),
      );
      if (isGone) for (const part of parts) await machine.call('remove part', () => server.removeBlob(part));
    },
  };
}
