import { Blobs, type Bus, openBucket } from '@reins/bus';
import { isReinsError, isRetryable, type RunAddress } from '@reins/contracts';
import type { Checkpoint, CheckpointStore, StoredCheckpoint } from '../checkpoint/checkpoint.ts';

/** The key of a run's checkpoint record. */
const keyOf = ({ workspaceId, runId }: RunAddress): string => `checkpoint.${workspaceId}.${runId}`;

/** A checkpoint record that cannot be read lists no parts. It is deleted anyway. */
function unreadable(error: unknown): Partial<StoredCheckpoint> {
  if (isReinsError(error) && isRetryable(error.code)) throw error;
  return {};
}

/**
 * Opens the checkpoints on the bus: a record of each in the bucket `positions`, its parts in the object store
 * `archive`.
 */
export async function openCheckpoints(bus: Bus): Promise<CheckpointStore> {
  const [notes, parts] = await Promise.all([openBucket<Checkpoint>(bus, 'positions'), Blobs.open(bus, 'archive')]);

  async function find(run: RunAddress): Promise<StoredCheckpoint | undefined> {
    const { value, revision } = (await notes.get(keyOf(run))) ?? {};
    return value && revision !== undefined ? { checkpoint: value, revision } : undefined;
  }

  return {
    find,
    get: (part) => parts.get(part),
    put: (part) => parts.put(part),
    keep: async (run, checkpoint, before) => {
      if (before) await notes.update(keyOf(run), checkpoint, before.revision);
      else await notes.create(keyOf(run), checkpoint);
    },
    forget: async (run, kept) => {
      const known = kept ?? (await find(run).catch(unreadable));
      if (!known || !(await notes.delete(keyOf(run), known.revision))) return;
      for (const { sha256 } of known.checkpoint?.parts ?? []) await parts.remove(sha256);
    },
  };
}
