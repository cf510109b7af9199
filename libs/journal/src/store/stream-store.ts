import { journalSubject, type RunAddress } from '@reins/contracts';
import { decodeCommit, encodeCommit } from '../entries/commit-codec.ts';
import { EMPTY_HEAD } from '../entries/entry.ts';
import { assertVerified } from '../verify/verify-entries.ts';
import type { AppendOutcome, Commit, JournalStore, LoadedJournal, Position } from './journal-store.ts';

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

function loaded(messages: readonly StreamMessage[], run: RunAddress): LoadedJournal {
  const commits = messages.map(({ seq, data }) => decodeCommit(data, `commit at sequence ${seq}`));
  const entries = commits.flatMap((commit) => commit.entries);
  assertVerified(entries, run);
  const last = entries.at(-1);
  return {
    entries,
    head: last ? { version: last.version, hash: last.hash } : EMPTY_HEAD,
    position: messages.at(-1)?.seq ?? 0,
    lastCommitSize: commits.at(-1)?.entries.length ?? 0,
    epoch: commits.at(-1)?.epoch ?? 0,
  };
}

async function appended(port: StreamPort, subject: string, commit: Commit, expected: Position): Promise<AppendOutcome> {
  const last = commit.entries.at(-1);
  if (!last) throw new TypeError('a commit has at least one entry');
  const answer = await port.append(subject, encodeCommit(commit), last.hash, expected);
  return answer.outcome === 'stored' ? { outcome: 'stored', position: answer.seq } : { outcome: 'fenced' };
}
