import { type Commit, decodeCommit, type StreamAppended, type StreamMessage } from '@reins/journal';

/** One commit as the server got it. */
export interface StoredCommit extends StreamMessage {
  readonly msgId: string;
  /** What it says; for whoever looks from outside. */
  readonly commit: Commit;
  /** Whose it is, and whether its lease stood by its own clock when it was sent. */
  readonly machine: string;
  readonly sentUnderLease: boolean;
}

/** The journal stream: compare-and-set on the subject of each run. */
export class Journals {
  readonly bySubject = new Map<string, StoredCommit[]>();
  #seq = 0;

  append(subject: string, sent: Omit<StoredCommit, 'seq' | 'commit'>, expected: number): StreamAppended {
    const commits = this.bySubject.get(subject) ?? [];
    const last = commits.at(-1);
    if (last?.msgId === sent.msgId) return { outcome: 'stored', seq: last.seq };
    if ((last?.seq ?? 0) !== expected) return { outcome: 'fenced' };
    this.#seq += 1;
    commits.push({ ...sent, commit: decodeCommit(sent.data), seq: this.#seq });
    this.bySubject.set(subject, commits);
    return { outcome: 'stored', seq: this.#seq };
  }

  read(subject: string): readonly StoredCommit[] {
    return [...(this.bySubject.get(subject) ?? [])];
  }
}
