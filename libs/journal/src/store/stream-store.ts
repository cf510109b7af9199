import { journalSubject, problemsOfEntry, ReinsError, type RunAddress } from '@reins/contracts';
import type { CheckpointStore } from '../checkpoint/checkpoint.ts';
import { messagesFromCheckpoint } from '../checkpoint/messages-from-checkpoint.ts';
import { encodeCommit } from '../entries/commit-codec.ts';
import { type Entry, type Head, hashEntry } from '../entries/entry.ts';
import { inTurns } from '../verify/steps.ts';
import { verifying } from '../verify/verify-entries.ts';
import { DamagedJournal } from './damaged-journal.ts';
import type { AppendOutcome, Commit, JournalStore, LoadedJournal, Position } from './journal-store.ts';
import { mending } from './mend-commits.ts';
import { decoding } from './stored-commit.ts';
import type { StreamMessage, StreamPort } from './stream-port.ts';

export interface StreamJournalOptions {
  /** The setting `nats.partitions` of the installation. */
  readonly partitions?: number;
  /** The beginnings of long journals, where somebody keeps them. */
  readonly checkpoints?: CheckpointStore;
  /** How many commits are read before a checkpoint is looked for; for those who want one in a short journal. */
  readonly lookAfter?: number;
}

/** With no more commits than these a journal is read as fast without a checkpoint. */
const LOOK_AFTER = 256;

/** Journals as messages of a stream: one subject per run, one message per commit. */
export function streamJournalStore(port: StreamPort, options: StreamJournalOptions = {}): JournalStore {
  const subjectOf = (run: RunAddress) => journalSubject(run, options.partitions);
  return {
    load: streamJournalLoader(port, options),
    append: (run, commit, expected) => appended(port, subjectOf(run), commit, expected),
  };
}

/** The half of such a store that reads. */
export function streamJournalLoader(
  port: Pick<StreamPort, 'read'>,
  { partitions, checkpoints, lookAfter = LOOK_AFTER }: StreamJournalOptions = {},
): JournalStore['load'] {
  return async (run) => {
    const subject = journalSubject(run, partitions);
    if (!checkpoints) return loaded(await port.read(subject), run);
    const first = await port.read(subject, { atMost: lookAfter });
    const last = first.at(-1);
    if (!last || first.length < lookAfter) return loaded(first, run);
    const known = await messagesFromCheckpoint({ port, subject, run, checkpoints });
    if (!known) return loaded([...first, ...(await port.read(subject, { fromSeq: last.seq + 1 }))], run);
    try {
      return await loaded(known.messages, run);
    } catch (error) {
      if (!(error instanceof DamagedJournal)) throw error;
      // Wherever it is wrong, the stream itself says what there is of the journal.
      await checkpoints.forget(run, known.kept);
      return loaded(await port.read(subject), run);
    }
  };
}

/** In turns with everybody else: a long journal takes seconds. */
async function loaded(messages: readonly StreamMessage[], run: RunAddress): Promise<LoadedJournal> {
  const commits = await inTurns(decoding(messages));
  const unreadable = commits.find((commit) => !commit.entries);
  const before = unreadable ? commits.slice(0, commits.indexOf(unreadable)) : commits;
  const entries = before.flatMap((commit) => commit.entries ?? []);
  const { state, problems } = await inTurns(verifying(run, entries));
  const wrong = problems.length === 0 && unreadable && 'problem' in unreadable ? [unreadable.problem] : problems;
  const last = commits.findLast((commit) => commit.entries);
  const end = { position: messages.at(-1)?.seq ?? 0, epoch: last?.entries ? last.epoch : 0 };
  if (wrong.length === 0)
    return { ...end, entries, head: state.head, lastCommitSize: commits.at(-1)?.entries?.length ?? 0 };
  const good = entries.slice(0, entries.findIndex(({ hash }) => hash === state.head.hash) + 1);
  if (isAsWritten(entries[good.length], state.head))
    throw new ReinsError(problems.map((problem) => ({ ...problem, code: 'journal_newer', hint: NEWER })));
  throw new DamagedJournal(wrong, {
    run,
    commits,
    standing: { ...end, entries: good, head: state.head, lastCommitSize: 0 },
    mended: await inTurns(mending(run, commits)),
  });
}

/** Of an entry whose form is wrong here, and that is exactly what was written: nothing is damaged, another version of Reins wrote it. */
function isAsWritten(entry: Entry | undefined, { hash }: Head): boolean {
  if (!entry || entry.prev !== hash || hashEntry(entry) !== entry.hash) return false;
  return problemsOfEntry(entry.type, entry.data).length > 0;
}

const NEWER = 'it is what was written: a newer version of Reins may know it';

async function appended(port: StreamPort, subject: string, commit: Commit, expected: Position): Promise<AppendOutcome> {
  const last = commit.entries.at(-1);
  if (!last) throw new TypeError('a commit has at least one entry');
  const answer = await port.append(subject, encodeCommit(commit), last.hash, expected);
  return answer.outcome === 'stored' ? { outcome: 'stored', position: answer.seq } : { outcome: 'fenced' };
}
