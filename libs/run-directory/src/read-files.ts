import { existsSync } from 'node:fs';
import type { Problem } from '@reins/contracts';
import { stateHead } from './changed-entry.ts';
import { isErrno } from './files.ts';
import { type EntryFile, readJournalFiles, type StoredEntry } from './journal-files.ts';
import { numberOf, type RunPaths } from './layout.ts';
import { currentJournal } from './swap-journal.ts';

/** How often a reader starts again when the journal is replaced meanwhile. */
const READS = 5;

/** The files of the journal, also while another process replaces it. */
export async function filesOf(paths: RunPaths): Promise<EntryFile[] | undefined> {
  for (let read = 1; ; read += 1) {
    try {
      const files = await readJournalFiles(await currentJournal(paths));
      if (files || read === READS || !existsSync(paths.journal)) return files;
    } catch (error) {
      if (read === READS || !isErrno(error, 'ENOENT')) throw error;
    }
  }
}

/** A commit whose end is missing was never acknowledged, unless the stored state has it. */
export function lostCommitEnd(
  paths: RunPaths,
  all: readonly StoredEntry[],
  stored: readonly StoredEntry[],
): Problem | undefined {
  const end = all.at(-1);
  if (!end || stored.length === all.length || (stateHead(paths)?.version ?? 0) < end.commit.first) return undefined;
  const from = end.entry.version + 1;
  const which = from === end.commit.last ? `entry ${from} is` : `entries ${from} to ${end.commit.last} are`;
  return {
    code: 'journal_corrupt',
    message: `${which} missing, but state/state.json shows that the commit was complete`,
    path: `journal/${numberOf(from)}`,
    hint: 'Preview a repair with run:repair-journal --dry-run.',
  };
}
