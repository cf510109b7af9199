import { isReinsError, isRetryable, ReinsError, type RunAddress } from '@reins/contracts';
import type { Entry } from '../entries/entry.ts';
import { applyEntry } from '../state/apply-entry.ts';
import { emptyRun, type RunState } from '../state/run-state.ts';
import type { LoadedJournal } from '../store/journal-store.ts';
import { decoding } from '../store/stored-commit.ts';
import type { StreamPort } from '../store/stream-port.ts';
import { inTurns } from '../verify/steps.ts';
import { verifying } from '../verify/verify-entries.ts';
import { type Checkpoint, type CheckpointStore, endsAt } from './checkpoint.ts';
import { decodePart } from './part.ts';

interface Loading {
  readonly port: Pick<StreamPort, 'read'>;
  readonly subject: string;
  readonly run: RunAddress;
  readonly checkpoints: CheckpointStore;
}

/**
 * The journal from its checkpoint on, as verified as one that is read whole: order, chain and causality of every entry, form and hash of those behind
 * the checkpoint; for those before it stands the hash of the parts, which were made of verified entries. The stream says whether the checkpoint is its own: the
 * commit that it ends with is there.
 * @returns undefined without a checkpoint, and where anything is wrong: then all of the stream has to be read, which says what. A checkpoint that is of no use is forgotten
 * @throws ReinsError of what may go better the next time
 */
export async function loadFromCheckpoint(loading: Loading): Promise<LoadedJournal | undefined> {
  const { checkpoints, run } = loading;
  const kept = await checkpoints.find(run);
  if (!kept) return undefined;
  try {
    return await continued(loading, kept.checkpoint);
  } catch (error) {
    if (isReinsError(error) && isRetryable(error.code)) throw error;
    await checkpoints.forget(run, kept);
    return undefined;
  }
}

async function continued(
  { port, subject, run, checkpoints }: Loading,
  checkpoint: Checkpoint,
): Promise<LoadedJournal | undefined> {
  const state = emptyRun(run);
  const entries = await beginning(checkpoints, checkpoint, state);
  const messages = await port.read(subject, { fromSeq: checkpoint.position });
  const commits = await inTurns(decoding(messages));
  if (!endsAt(checkpoint, commits[0])) throw useless('the stream has another commit there');
  const behind = commits.slice(1);
  const more = behind.flatMap((commit) => commit.entries ?? []);
  const { problems } = await inTurns(verifying(run, more, state));
  if (problems.length > 0 || behind.some((commit) => !commit.entries)) return undefined;
  const last = commits.at(-1);
  const end = { position: last?.seq ?? 0, lastCommitSize: last?.entries?.length ?? 0 };
  return { ...end, entries: [...entries, ...more], head: state.head, ...(last?.entries && { epoch: last.epoch }) };
}

/** The entries up to the checkpoint; the state becomes what they fold to. */
async function beginning(
  checkpoints: Pick<CheckpointStore, 'get'>,
  { hash, parts }: Checkpoint,
  state: RunState,
): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  for (const part of parts) {
    for (const commit of decodePart(await checkpoints.get(part))) {
      for (const entry of commit.entries) {
        applyEntry(state, entry);
        entries.push(entry);
      }
    }
  }
  if (state.head.hash !== hash) throw useless('it ends with another entry');
  return entries;
}

const useless = (message: string): ReinsError =>
  new ReinsError({ code: 'journal_corrupt', message, path: 'checkpoint' });
