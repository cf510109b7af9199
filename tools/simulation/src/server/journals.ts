import type { StreamAppended, StreamMessage } from '@reins/journal';

/** One commit as the server got it. */
export interface StoredCommit extends StreamMessage {
  readonly msgId: string;
  /** Whose it is, and whether its lease stood by its own clock when it was sent. */
  readonly machine: string;
  readonly sentUnderLease: boolean;
}

/** The journal stream: compare-and-set on the subject of each run. */
export class Journals {
  readonly bySubject = new Map<string, StoredCommit[]>();
  #seq = 0;

  append(subject: string, commit: Omit<StoredCommit, 'seq'>, expected: number): StreamAppended {
    const commits = this.bySubject.get(subject) ?? [];
    const last = commits.at(-1);
    if (last?.msgId === commit.msgId) return { outcome: 'stored', seq: last.seq };
    if ((last?.seq ?? 0) !== expected) return { outcome: 'fenced' };
    this.#seq += 1;
    commits.push({ ...commit, seq: this.#seq });
    this.bySubject.set(subject, commits);
    return { outcome: 'stored', seq: this.#seq };
  }

  read(subject: string): readonly StoredCommit[] {
    return [...(this.bySubject.get(subject) ?? [])];
  }
}
