import { isObject } from '@reins/contracts';
import { type Entry, hashEntry } from '@reins/journal';
import { nextUlid } from './chained-ulid.ts';
import { type EntryFile, readableEntry } from './journal-files.ts';
import type { StoredHead } from './state-head.ts';

/**
 * Finds an entry that was changed together with its hash, and with those of all later entries. The chain is whole then,
 * but the stored state has another hash for its end. The name of each entry follows from the previous hash, so the names
 * show where the change begins.
 * @returns the version of the changed entry; undefined when nothing shows a change
 */
export function changedEntry(files: readonly EntryFile[], head: StoredHead | undefined): number | undefined {
  const end = files.find(({ seq }) => seq === head?.version);
  const entry = end && intactEntry(end);
  if (!head || !entry || end.ulid !== head.ulid || isSameHash(entry.hash, head.hash)) return undefined;
  const next = files.find((file, i) => !isNamedAfter(file, files[i - 1]));
  return next && next.seq <= head.version ? next.seq - 1 : head.version;
}

/** The files whose name does not follow from the previous entry. The name of the next entry would not, either. */
export const misnamedFiles = (files: readonly EntryFile[]): EntryFile[] =>
  files.filter((file, i) => !isNamedAfter(file, files[i - 1]));

/** The number of digits of a stored hash that damage may have changed. Other hashes differ in nearly all digits. */
const DAMAGED_DIGITS = 8;

function isSameHash(hash: string, stored: string): boolean {
  if (hash.length !== stored.length) return false;
  return [...hash].filter((digit, i) => digit !== stored[i]).length <= DAMAGED_DIGITS;
}

/** Whether the name of a file follows from the previous entry. True without an intact previous entry. */
function isNamedAfter({ seq, ulid }: EntryFile, before: EntryFile | undefined): boolean {
  const entry = before && intactEntry(before);
  if (!entry || before.seq !== seq - 1) return true;
  return ulid === nextUlid({ ulid: before.ulid, hash: entry.hash, recordedAt: entry.recordedAt });
}

function intactEntry(file: EntryFile): Entry | undefined {
  const entry = readableEntry(file);
  if (!isObject(entry) || typeof entry.recordedAt !== 'string') return undefined;
  return entry.version === file.seq && hashEntry(entry) === entry.hash ? entry : undefined;
}
