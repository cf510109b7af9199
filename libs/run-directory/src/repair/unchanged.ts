import type { Entry } from '@reins/journal';
import {
  type EntryFile,
  isOwn,
  isOwnEntry,
  isProblem,
  jsonOf,
  parseEntryFile,
  type StoredEntry,
  sequenceProblem,
} from '../store/journal-files.ts';

/**
 * Whether the repair would write what is there. Babysitter entries have no chain, so only their file names are checked.
 */
export function isUnchanged(files: readonly EntryFile[], entries: readonly Entry[]): boolean {
  if (sequenceProblem(files) || endsWithin(files)) return false;
  return files.every((file, i) => !isOwn(file) || hashIn(file) === entries[i]?.hash);
}

/** Whether the last commit is incomplete. Its entries are kept if the stored state shows that it was complete. */
function endsWithin(files: readonly EntryFile[]): boolean {
  const last = files.at(-1);
  const value = last && jsonOf(last);
  if (!value || isProblem(value) || !isOwnEntry(value)) return false;
  return (value as unknown as StoredEntry).commit.last > last.seq;
}

/** The hash of an entry whose file is exactly as it was written. */
function hashIn(file: EntryFile): string | undefined {
  try {
    return parseEntryFile(file).entry.hash;
  } catch {
    return undefined;
  }
}
