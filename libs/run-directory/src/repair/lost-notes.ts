import type { EntryDraft } from '@reins/journal';
import { type EntryFile, stringMember } from '../store/journal-files.ts';
import { numberOf } from '../store/layout.ts';
import type { MissingData } from './entry-recovery.ts';
import type { KeptEntry } from './kept-entry.ts';

/** Log entries with such a label hold data that a replay needs: the chosen path of a patch, or the time of a start. */
const MARK = /^@/;

/** The log entry before an end that the process did not decide. */
const EXTERNAL_END = 'run:halt';

const NOTES: ReadonlySet<string> = new Set(['PROCESS_LOG', 'EFFECT_PROGRESS', 'COST_TRACKED']);

/** Whether neither a replay nor the state of the run depends on an entry. */
export const isNote = ({ type, data }: EntryDraft): boolean =>
  NOTES.has(type) && !(type === 'PROCESS_LOG' && isMark(data.label));

/** Whether a log entry with this label is a mark: the replay needs it. */
const isMark = (label: string | undefined): boolean =>
  label !== undefined && (MARK.test(label) || label === EXTERNAL_END);

/**
 * Reports other lost entries, if their files still show what they were. Answers and the first entry are reported
 * elsewhere.
 * @param rescued the effects whose end was found in another file
 */
export function lostOthers(
  files: readonly EntryFile[],
  kept: readonly KeptEntry[],
  rescued: ReadonlySet<string | undefined>,
): MissingData[] {
  const keptVersions = new Set(kept.map(({ file }) => file.seq));
  return files.flatMap(({ seq, text }) => {
    const type = stringMember(text, 'type');
    if (keptVersions.has(seq) || type === undefined || type === 'EFFECT_RESOLVED' || seq === 1) return [];
    const what = `entry ${seq} (${type}) is lost`;
    if (NOTES.has(type)) return isMark(stringMember(text, 'label')) ? [] : [{ why: `${what}; the run can continue` }];
    if (rescued.has(stringMember(text, 'effectId'))) return [];
    const why = `${what}, and no other file has it: the process may not reach the entries that follow (replay_nondeterminism)`;
    return [{ why, path: `journal/${numberOf(seq)}` }];
  });
}

/** Reports lost marks, without which the process may be replayed differently. */
export function lostMarks(files: readonly EntryFile[], kept: readonly KeptEntry[]): MissingData[] {
  const keptVersions = new Set(kept.map(({ file }) => file.seq));
  return files.flatMap(({ seq, text }) => {
    const label = stringMember(text, 'label');
    if (keptVersions.has(seq) || label === undefined || !MARK.test(label)) return [];
    const why = `the marker ${label} in entry ${seq} is lost; replay may stop before later entries (replay_nondeterminism)`;
    return [{ why, path: `journal/${numberOf(seq)}` }];
  });
}
