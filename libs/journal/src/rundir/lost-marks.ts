import { type EntryFile, memberOf } from './journal-files.ts';
import { numberOf } from './layout.ts';
import type { Missing } from './mending.ts';
import type { Kept } from './sift.ts';

/** By lines with such a label the journal keeps what a replay has to know: which way a place was passed, from when a start counts. */
const MARK = /^@/;

/** Marks whose entries are lost: without them the process may be replayed another way. */
export function lostMarks(files: readonly EntryFile[], kept: readonly Kept[]): Missing[] {
  const stays = new Set(kept.map(({ file }) => file.seq));
  return files.flatMap(({ seq, text }) => {
    const label = memberOf(text, 'label');
    if (stays.has(seq) || label === undefined || !MARK.test(label)) return [];
    const why = `entry ${seq}, a mark (${label}) that the process is replayed by, is lost: it may not come to what follows (replay_nondeterminism)`;
    return [{ why, path: `journal/${numberOf(seq)}` }];
  });
}
