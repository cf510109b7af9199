import { gzipSync } from 'node:zlib';
import { Checkpoints } from '@reins/control-bus/core';
import type { CheckpointStore, StreamPort } from '@reins/journal';
import type { Server } from '../server/server.ts';
import { PARTITIONS } from '../world/settings.ts';
import { bucketOf } from './buckets.ts';
import type { Machine } from './machine.ts';

/** Entries of a part: few enough that short runs have several, or more than any run has. */
const EVERY = [2, 7, 1_000] as const;

/** What `Checkpoints` of the control bus has over a bus. */
export function simulatedCheckpoints(
  machine: Machine,
  server: Server,
  { log, port }: { readonly log: ConstructorParameters<typeof Checkpoints>[0]['log']; readonly port: StreamPort },
): Checkpoints {
  return new Checkpoints({
    port,
    log,
    checkpoints: storeOn(machine, server),
    partitions: PARTITIONS,
    every: machine.random.pick(EVERY),
    // In no time, and of no thread: what happens next is not left to chance.
    compress: async (body) => gzipSync(body),
  });
}

/** What `openCheckpoints` of the journal has on a bus. */
function storeOn(machine: Machine, server: Server): CheckpointStore {
  const notes = bucketOf(machine, server.checkpoints, 'checkpoint');
  const find: CheckpointStore['find'] = async ({ runId }) => {
    const { value, revision = 0 } = (await notes.get(runId)) ?? {};
    return value && { checkpoint: value, revision };
  };
  return {
    find,
    get: (part) => machine.call('get part', () => server.getBlob(part)),
    put: (part) => machine.send('put part', () => server.putBlob(part)),
    keep: async ({ runId }, checkpoint, before) => {
      if (before) await notes.update(runId, checkpoint, before.revision);
      else await notes.create(runId, checkpoint);
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
