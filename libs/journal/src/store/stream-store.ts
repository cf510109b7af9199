import {
  journalSubject,
  type Problem,
  problemOf,
  problemsOfEntry,
  ReinsError,
  type RunAddress,
} from '@reins/contracts';
import { decodeCommit, encodeCommit } from '../entries/commit-codec.ts';
import { type Entry, type Head, hashEntry } from '../entries/entry.ts';
import { inTurns, type Steps } from '../verify/steps.ts';
import { verifying } from '../verify/verify-entries.ts';
import { DamagedJournal } from './damaged-journal.ts';
import type { AppendOutcome, Commit, JournalStore, LoadedJournal, Position } from './journal-store.ts';
import { mending, type StoredCommit } from './mend-commits.ts';

/** What the store needs of a stream: appends by compare-and-set, and everything on one subject. */
export interface StreamPort {
  /**
   * Stores the message when the subject's last sequence is the expected one (0 = the subject is empty). The answer is certain; `fenced`
   * means that somebody else wrote. The id makes sending again harmless.
   */
  append(subject: string, data: Uint8Array, msgId: string, expectedLastSequence: number): Promise<StreamAppended>;
  /** All messages of the subject, oldest first, up to the last one that is durable now. */
  read(subject: string): Promise<readonly StreamMessage[]>;
}

export type StreamAppended = { readonly outcome: 'stored'; readonly seq: number } | { readonly outcome: 'fenced' };

export interface StreamMessage {
  readonly seq: number;
  readonly data: Uint8Array;
  /** Why its content cannot be had. */
  readonly problem?: Problem;
}

/** Journals as messages of a stream: one subject per run, one message per commit. */
export function streamJournalStore(port: StreamPort, options: { readonly partitions?: number } = {}): JournalStore {
  const subjectOf = (run: RunAddress) => journalSubject(run, options.partitions);
  return {
    load: streamJournalLoader(port, options),
    append: (run, commit, expected) => appended(port, subjectOf(run), commit, expected),
  };
}

/** The half of such a store that reads. */
export function streamJournalLoader(
  port: Pick<StreamPort, 'read'>,
  options: { readonly partitions?: number } = {},
): JournalStore['load'] {
  return async (run) => loaded(await port.read(journalSubject(run, options.partitions)), run);
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

/** As many steps as there are entries. */
function* decoding(messages: readonly StreamMessage[]): Steps<StoredCommit[]> {
  const commits: StoredCommit[] = [];
  for (const message of messages) {
    const commit = commitIn(message);
    commits.push(commit);
    for (const _ of commit.entries ?? [message]) yield;
  }
  return commits;
}

function commitIn({ seq, data, problem }: StreamMessage): StoredCommit {
  if (problem) return { seq, problem };
  try {
    return { seq, ...decodeCommit(data, `commit at sequence ${seq}`) };
  } catch (error) {
    return { seq, problem: problemOf(error) };
  }
}

async function appended(port: StreamPort, subject: string, commit: Commit, expected: Position): Promise<AppendOutcome> {
  const last = commit.entries.at(-1);
  if (!last) throw new TypeError('a commit has at least one entry');
  const answer = await port.append(subject, encodeCommit(commit), last.hash, expected);
  return answer.outcome === 'stored' ? { outcome: 'stored', position: answer.seq } : { outcome: 'fenced' };
}
