import { type Commit, decodeCommit, type StreamAppended, type StreamMessage } from '@reins/journal';

/** A commit as stored by the server. */
export interface StoredCommit extends StreamMessage {
  readonly subject: string;
  readonly storedAt: number;
  readonly msgId: string;
  /** The decoded commit, for checks. */
  readonly commit: Commit;
  /** The sender, and whether its lease was valid by its own clock when it sent the commit. */
  readonly machine: string;
  readonly sentUnderLease: boolean;
}

type Sent = Pick<StoredCommit, 'data' | 'msgId' | 'machine' | 'sentUnderLease'>;

/** The journal stream, with compare-and-set per subject. */
export class Journals {
  readonly #now: () => number;
  /** The commits in the stream. */
  readonly bySubject = new Map<string, StoredCommit[]>();
  /** Every commit that was ever stored, in order, including purged ones. */
  readonly allCommits: StoredCommit[] = [];
  /** By sequence: the length of the stream when the commit was removed. */
  readonly #purged = new Map<number, number>();

  constructor(now: () => number) {
    this.#now = now;
  }

  append(subject: string, sent: Sent, expected: number): StreamAppended {
    const commits = this.bySubject.get(subject) ?? [];
    const last = commits.at(-1);
    if (last?.msgId === sent.msgId) return { outcome: 'stored', seq: last.seq };
    if ((last?.seq ?? 0) !== expected) return { outcome: 'fenced' };
    const seq = this.allCommits.length + 1;
    const stored = { ...sent, subject, seq, storedAt: this.#now(), commit: decodeCommit(sent.data) };
    commits.push(stored);
    this.allCommits.push(stored);
    this.bySubject.set(subject, commits);
    return { outcome: 'stored', seq };
  }

  /** @param from the first sequence */
  read(subject: string, from = 0): readonly StoredCommit[] {
    return (this.bySubject.get(subject) ?? []).filter(({ seq }) => seq >= from);
  }

  /** The commits of a partition after a sequence. */
  after(partition: number, seq: number): StoredCommit[] {
    const prefix = `journal.${partition}.`;
    return this.allCommits
      .slice(seq)
      .filter((commit) => commit.subject.startsWith(prefix) && !this.#purged.has(commit.seq));
  }

  /** Forgets the last commits, and what was removed after them. @param share how much is kept, from 0 to 1 */
  setBack(share: number): void {
    this.allCommits.length = Math.ceil(this.allCommits.length * share);
    for (const [seq, length] of this.#purged) if (length > this.allCommits.length) this.#purged.delete(seq);
    this.bySubject.clear();
    for (const commit of this.allCommits) {
      if (this.#purged.has(commit.seq)) continue;
      this.bySubject.set(commit.subject, [...(this.bySubject.get(commit.subject) ?? []), commit]);
    }
  }

  /** Removes the commits of the subject before a sequence. */
  purge(subject: string, before: number): void {
    const commits = this.bySubject.get(subject) ?? [];
    for (const { seq } of commits) if (seq < before) this.#purged.set(seq, this.allCommits.length);
    this.bySubject.set(
      subject,
      commits.filter(({ seq }) => seq >= before),
    );
  }
}
