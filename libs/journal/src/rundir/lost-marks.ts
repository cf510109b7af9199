import type { KeptEntry } from './classify-entries.ts';
import type { MissingData } from './entry-recovery.ts';
import { type EntryFile, stringMember } from './journal-files.ts';
import { numberOf } from './layout.ts';

/** Log entries with such a label hold data that a replay needs: the chosen path of a patch, or the time of a start. */
const MARK = /^@/;

/** The log entry before an end that the process did not decide. */
const EXTERNAL_END = 'run:halt';

/** Whether a log entry with this label is a mark: the replay needs it. */
export const isMark = (label: string | undefined): boolean =>
  label !== undefined && (MARK.test(label) || label === EXTERNAL_END);

/** Reports lost marks, without which the process may be replayed differently. */
export function lostMarks(files: readonly EntryFile[], kept: readonly KeptEntry[]): MissingData[] {
  const keptVersions = new Set(kept.map(({ file }) => file.seq));
  return files.flatMap(({ seq, text }) => {
    const label = stringMember(text, 'label');
    if (keptVersions.has(seq) || label === undefined || !MARK.test(label)) return [];
    const why = `entry ${seq} is lost, a mark (${label}) that the replay needs: the process may not reach the entries that follow (replay_nondeterminism)`;
    return [{ why, path: `journal/${numberOf(seq)}` }];
  });
}
