import { isReinsError, isRetryable, type RunAddress } from '@reins/contracts';
import type { StreamMessage, StreamPort } from '../store/stream-port.ts';
import { type CheckpointStore, endsWith, type KeptCheckpoint } from './checkpoint.ts';
import { decodePart } from './part.ts';

interface Reading {
  readonly port: Pick<StreamPort, 'read'>;
  readonly subject: string;
  readonly run: RunAddress;
  readonly checkpoints: CheckpointStore;
}

/** A journal up to its end, the beginning of which comes from a checkpoint. */
export interface FromCheckpoint {
  readonly kept: KeptCheckpoint;
  readonly messages: readonly StreamMessage[];
}

/**
 * The messages of a journal, those up to its checkpoint from there. The stream says whether the checkpoint is its own: the commit that it ends with
 * is there.
 * @returns undefined where there is none, or none that can be read; one that is of no use is forgotten
 */
export async function messagesFromCheckpoint(reading: Reading): Promise<FromCheckpoint | undefined> {
  const { port, subject, checkpoints, run } = reading;
  const begun = await beginning(checkpoints, run);
  if (!begun) return undefined;
  const { kept, commits } = begun;
  const behind = await port.read(subject, { fromSeq: kept.checkpoint.position });
  // The commit that the checkpoint ends with is in both.
  if (endsWith(kept.checkpoint, behind[0])) return { kept, messages: [...commits.slice(0, -1), ...behind] };
  await checkpoints.forget(run, kept);
  return undefined;
}

/** Whatever is wrong with a checkpoint, the stream has all that is in it. */
async function beginning(checkpoints: CheckpointStore, run: RunAddress) {
  let kept: KeptCheckpoint | undefined;
  try {
    kept = await checkpoints.find(run);
    if (!kept) return undefined;
    const parts = await Promise.all(kept.checkpoint.parts.map((part) => checkpoints.get(part)));
    return { kept, commits: parts.flatMap(decodePart).map((data): StreamMessage => ({ seq: 0, data })) };
  } catch (error) {
    // What may go better the next time is left to that.
    if (!isReinsError(error) || !isRetryable(error.code)) await checkpoints.forget(run, kept);
    return undefined;
  }
}
