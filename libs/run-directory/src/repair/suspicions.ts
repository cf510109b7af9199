import { problemOf } from '@reins/contracts';
import { hashEntry } from '@reins/journal';
import { checksumProblem } from '../legacy/legacy-run.ts';
import {
  commitMismatchAt,
  type EntryFile,
  isOwn,
  isOwnEntry,
  isProblem,
  jsonOf,
  parseEntryFile,
  type StoredEntry,
  withoutFileName,
} from '../store/journal-files.ts';
import { type KeptEntry } from './kept-entry.ts';

/** A file that was altered, and why that is known. */
export interface Suspicion {
  readonly name: string;
  readonly why: string;
}

/** The kept files that were altered. */
export const suspicionsOf = (kept: readonly KeptEntry[]): Suspicion[] => [
  ...kept.flatMap((one) => suspicionOf(one) ?? []),
  ...commitMismatches(kept),
];

/** Why a kept file is suspicious; undefined when it is not. */
function suspicionOf({ file, recovered, isLost }: KeptEntry): Suspicion | undefined {
  if (isLost) return undefined;
  const suspicion = suspicionOfFile(file);
  if (!recovered) return suspicion;
  const { from, isProven } = recovered;
  const taken = isProven ? `replaced by the original from ${from}` : `replaced by the different content of ${from}`;
  return { name: file.name, why: `${suspicion?.why ?? 'it was altered'}; ${taken}` };
}

function suspicionOfFile(file: EntryFile): Suspicion | undefined {
  if (!isOwn(file)) {
    const tampered = checksumProblem(file);
    return tampered && { name: file.name, why: withoutFileName(tampered.message, file) };
  }
  try {
    const { entry } = parseEntryFile(file);
    return hashEntry(entry) === entry.hash
      ? undefined
      : { name: file.name, why: 'its hash does not match its content' };
  } catch (error) {
    return { name: file.name, why: withoutFileName(problemOf(error).message, file) };
  }
}

/** Reports the first entry whose commit range does not fit its neighbours. It is kept and chained again. */
function commitMismatches(kept: readonly KeptEntry[]): Suspicion[] {
  const own = kept.flatMap(({ file }) => {
    const value = jsonOf(file);
    return isProblem(value) || !isOwnEntry(value) ? [] : [value];
  });
  if (own.length < kept.length) return [];
  const at = commitMismatchAt(own.map((value) => ({ entry: value, commit: value.commit }) as unknown as StoredEntry));
  const file = at === undefined ? undefined : kept[at]?.file;
  return file ? [{ name: file.name, why: 'its commit does not fit the previous one' }] : [];
}
