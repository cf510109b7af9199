import { isReinsError, isRetryable, ReinsError, type RunAddress } from '@reins/contracts';
import type { StreamMessage, StreamPort } from '../store/stream-port.ts';
import { type Checkpoint, type CheckpointStore, endsWith, type KeptCheckpoint } from './checkpoint.ts';
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
 * @returns undefined where there is none, or none that is of any use: that one is forgotten
 * @throws ReinsError of what may go better the next time
 */
export async function messagesFromCheckpoint(reading: Reading): Promise<FromCheckpoint | undefined> {
  const { checkpoints, run } = reading;
  const kept = await checkpoints.find(run);
  if (!kept) return undefined;
  try {
    return { kept, messages: await joined(reading, kept.checkpoint) };
  } catch (error) {
    if (isReinsError(error) && isRetryable(error.code)) throw error;
    await checkpoints.forget(run, kept);
    return undefined;
  }
}

async function joined({ port, subject, checkpoints }: Reading, checkpoint: Checkpoint): Promise<StreamMessage[]> {
  const parts = await Promise.all(checkpoint.parts.map((part) => checkpoints.get(part)));
  const beginning = parts.flatMap(decodePart).map((data) => ({ seq: 0, data }));
  const behind = await port.read(subject, { fromSeq: checkpoint.position });
  if (!endsWith(checkpoint, behind[0]))
    throw new ReinsError({ code: 'journal_corrupt', message: 'it is of another journal', path: 'checkpoint' });
  // The commit that the checkpoint ends with is in both.
  return [...beginning.slice(0, -1), ...behind];
}
