import { type Commit, decodeCommit, type StreamAppended, type StreamMessage } from '@reins/journal';

/** One commit as the server got it. */
export interface StoredCommit extends StreamMessage {
  readonly subject: string;
  readonly storedAt: number;
  readonly msgId: string;
  /** What it says; for whoever looks from outside. */
  readonly commit: Commit;
  /** Whose it is, and whether its lease stood by its own clock when it was sent. */
  readonly machine: string;
  readonly sentUnderLease: boolean;
}

type Sent = Pick<StoredCommit, 'data' | 'msgId' | 'machine' | 'sentUnderLease'>;

/** The journal stream: compare-and-set on the subject of each run. */
export class Journals {
  readonly #now: () => number;
  /** What the stream has. */
  readonly bySubject = new Map<string, StoredCommit[]>();
  /** Everything that was ever stored in it, in order, whether it is still there or was removed. */
  readonly ever: StoredCommit[] = [];
  readonly #gone = new Set<number>();

  constructor(now: () => number) {
    this.#now = now;
  }

  append(subject: string, sent: Sent, expected: number): StreamAppended {
    const commits = this.bySubject.get(subject) ?? [];
    const last = commits.at(-1);
    if (last?.msgId === sent.msgId) return { outcome: 'stored', seq: last.seq };
    if ((last?.seq ?? 0) !== expected) return { outcome: 'fenced' };
    const seq = this.ever.length + 1;
    const stored = { ...sent, subject, seq, storedAt: this.#now(), commit: decodeCommit(sent.data) };
    commits.push(stored);
    this.ever.push(stored);
    this.bySubject.set(subject, commits);
    return { outcome: 'stored', seq };
  }

  /** @param from a sequence */
  read(subject: string, from = 0): readonly StoredCommit[] {
    return (this.bySubject.get(subject) ?? []).filter(({ seq }) => seq >= from);
  }

  /** What the stream has behind a sequence, of every run of a partition. */
  after(partition: number, seq: number): StoredCommit[] {
    const prefix = `journal.${partition}.`;
    return this.ever.slice(seq).filter((commit) => commit.subject.startsWith(prefix) && !this.#gone.has(commit.seq));
  }

  /** Removes what lies on the subject before a sequence. */
  purge(subject: string, before: number): void {
    const commits = this.bySubject.get(subject) ?? [];
    for (const { seq } of commits) if (seq < before) this.#gone.add(seq);
    this.bySubject.set(
      subject,
      commits.filter(({ seq }) => seq >= before),
    );
  }
}
