import { isReinsError, isRetryable, type RunAddress } from '@reins/contracts';
import type { StreamMessage, StreamPort } from '../store/stream-port.ts';
import { type CheckpointStore, isCheckpointEnd, type StoredCheckpoint } from './checkpoint.ts';
import { decodePart } from './part.ts';

interface Reading {
  readonly port: Pick<StreamPort, 'read'>;
  readonly subject: string;
  readonly run: RunAddress;
  readonly checkpoints: CheckpointStore;
}

/** A whole journal whose first messages come from a checkpoint. */
interface FromCheckpoint {
  readonly kept: StoredCheckpoint;
  readonly messages: readonly StreamMessage[];
}

/**
 * Reads a journal, with the messages up to its checkpoint from there. The checkpoint must end with the commit that the
 * stream has at its position.
 * @returns undefined when there is no usable checkpoint; an invalid one is removed
 */
export async function messagesFromCheckpoint(reading: Reading): Promise<FromCheckpoint | undefined> {
  const { port, subject, checkpoints, run } = reading;
  const stored = await loadStored(checkpoints, run);
  if (!stored) return undefined;
  const { kept, commits } = stored;
  const newer = await port.read(subject, { fromSeq: kept.checkpoint.position });
  // The last commit of the checkpoint is in both.
  if (isCheckpointEnd(kept.checkpoint, newer[0])) return { kept, messages: [...commits.slice(0, -1), ...newer] };
  await checkpoints.forget(run, kept);
  return undefined;
}

/** Any error leads to reading the stream, which has everything that is in the checkpoint. */
async function loadStored(checkpoints: CheckpointStore, run: RunAddress) {
  let kept: StoredCheckpoint | undefined;
  try {
    kept = await checkpoints.find(run);
    if (!kept) return undefined;
    const parts = await Promise.all(kept.checkpoint.parts.map((part) => checkpoints.get(part)));
    return { kept, commits: parts.flatMap(decodePart).map((data): StreamMessage => ({ seq: 0, data })) };
  } catch (error) {
    // Keep the checkpoint after a transient error.
    if (!isReinsError(error) || !isRetryable(error.code)) await checkpoints.forget(run, kept);
    return undefined;
  }
}
