import { journalSubject, problemsOfEntry, ReinsError, type RunAddress } from '@reins/contracts';
import type { CheckpointStore } from '../checkpoint/checkpoint.ts';
import { messagesFromCheckpoint } from '../checkpoint/messages-from-checkpoint.ts';
import { encodeCommit } from '../entries/commit-codec.ts';
import { type Entry, type Head, hashEntry } from '../entries/entry.ts';
import { runYielding } from '../verify/steps.ts';
import { verificationSteps } from '../verify/verify-entries.ts';
import { CorruptedJournalError } from './corrupted-journal-error.ts';
import type { AppendOutcome, Commit, JournalStore, LoadedJournal, Position } from './journal-store.ts';
import { recoverySteps } from './recover-commits.ts';
import { decodingSteps } from './stored-commit.ts';
import type { StreamMessage, StreamPort } from './stream-port.ts';

interface StreamJournalOptions {
  /** The setting `nats.partitions` of the installation. */
  readonly partitions?: number;
  /** Prefixes of long journals, if checkpoints are enabled. */
  readonly checkpoints?: CheckpointStore;
  /** How many commits are read before a checkpoint is looked up. Tests lower it. */
  readonly checkpointThreshold?: number;
}

/** Up to this many commits, reading without a checkpoint is as fast. */
const LOOK_AFTER = 256;

/** Journals as messages of a stream: one subject per run, one message per commit. */
export function streamJournalStore(port: StreamPort, options: StreamJournalOptions = {}): JournalStore {
  const subjectOf = (run: RunAddress) => journalSubject(run, options.partitions);
  return {
    load: streamJournalLoader(port, options),
    append: (run, commit, expected) => appendCommit(port, subjectOf(run), commit, expected),
  };
}

/** The read side of the store. */
export function streamJournalLoader(
  port: Pick<StreamPort, 'read'>,
  { partitions, checkpoints, checkpointThreshold = LOOK_AFTER }: StreamJournalOptions = {},
): JournalStore['load'] {
  return async (run) => {
    const subject = journalSubject(run, partitions);
    if (!checkpoints) return verifyMessages(await port.read(subject), run);
    const first = await port.read(subject, { atMost: checkpointThreshold });
    const last = first.at(-1);
    if (!last || first.length < checkpointThreshold) return verifyMessages(first, run);
    const known = await messagesFromCheckpoint({ port, subject, run, checkpoints });
    if (!known) return verifyMessages([...first, ...(await port.read(subject, { fromSeq: last.seq + 1 }))], run);
    try {
      return await verifyMessages(known.messages, run);
    } catch (error) {
      if (!(error instanceof CorruptedJournalError)) throw error;
      // The checkpoint may be the invalid part, so verify the stream itself.
      await checkpoints.forget(run, known.kept);
      return verifyMessages(await port.read(subject), run);
    }
  };
}

/** Yields to the event loop, because a long journal takes seconds. */
async function verifyMessages(messages: readonly StreamMessage[], run: RunAddress): Promise<LoadedJournal> {
  const commits = await runYielding(decodingSteps(messages));
  const unreadable = commits.find((commit) => !commit.entries);
  const before = unreadable ? commits.slice(0, commits.indexOf(unreadable)) : commits;
  const entries = before.flatMap((commit) => commit.entries ?? []);
  const { state, problems } = await runYielding(verificationSteps(run, entries));
  const wrong = problems.length === 0 && unreadable && 'problem' in unreadable ? [unreadable.problem] : problems;
  const last = commits.findLast((commit) => commit.entries);
  const end = { position: messages.at(-1)?.seq ?? 0, epoch: last?.entries ? last.epoch : 0 };
  if (wrong.length === 0)
    return { ...end, entries, head: state.head, lastCommitSize: commits.at(-1)?.entries?.length ?? 0 };
  const good = entries.slice(0, entries.findIndex(({ hash }) => hash === state.head.hash) + 1);
  if (isUnaltered(entries[good.length], state.head))
    throw new ReinsError(problems.map((problem) => ({ ...problem, code: 'journal_newer', hint: NEWER })));
  throw new CorruptedJournalError(wrong, {
    run,
    commits,
    validPrefix: { ...end, entries: good, head: state.head, lastCommitSize: 0 },
    recovered: await runYielding(recoverySteps(run, commits)),
  });
}

/**
 * Whether an entry of unknown form is exactly what was written. Then nothing is corrupted, and another version of Reins
 * wrote it.
 */
function isUnaltered(entry: Entry | undefined, { hash }: Head): boolean {
  if (!entry || entry.prev !== hash || hashEntry(entry) !== entry.hash) return false;
  return problemsOfEntry(entry.type, entry.data).length > 0;
}

const NEWER = 'Use a newer version of Reins: the entry is intact, but this version does not know it.';

async function appendCommit(
  port: StreamPort,
  subject: string,
  commit: Commit,
  expected: Position,
): Promise<AppendOutcome> {
  const last = commit.entries.at(-1);
  if (!last) throw new TypeError('a commit must have at least one entry');
  const answer = await port.append(subject, encodeCommit(commit), last.hash, expected);
  return answer.outcome === 'stored' ? { outcome: 'stored', position: answer.seq } : { outcome: 'fenced' };
}
