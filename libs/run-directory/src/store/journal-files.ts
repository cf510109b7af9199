import { hash as digest } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { isObject, isReinsError, type Problem, ReinsError } from '@reins/contracts';
import type { Entry } from '@reins/journal';
import { isErrno, notAFile, prettyJson, readRegular, TEMPORARY_PREFIX } from './files.ts';
import { type EntryName, parseEntryName } from './layout.ts';

/** One file of a journal. */
export interface EntryFile extends EntryName {
  readonly name: string;
  readonly text: string;
}

/** How many files are read before the event loop gets its turn. */
const BATCH = 512;

/** Reads the files of entries in the order of their names. Undefined when there is no journal. */
export async function readJournalFiles(journal: string): Promise<EntryFile[] | undefined> {
  const names = await entryNames(journal);
  if (!names) return undefined;
  const files: EntryFile[] = [];
  for (const [i, name] of names.entries()) {
    if (i % BATCH === BATCH - 1) await turn();
    files.push({ ...name, text: textOf(journal, name) });
  }
  return files;
}

/** @throws ReinsError `journal_corrupt` for a folder, or for a link to a missing file */
function textOf(journal: string, { name }: { readonly name: string }): string {
  const path = join(journal, name);
  try {
    return readRegular(path, { links: true }).toString('utf8');
  } catch (error) {
    const reason = notAFile(path);
    throw reason === undefined ? error : new ReinsError(corruptFile({ name }, reason));
  }
}

async function entryNames(journal: string): Promise<(EntryName & { readonly name: string })[] | undefined> {
  try {
    const names = await readdir(journal);
    const entries = names.flatMap((name) => {
      const parsed = parseEntryName(name);
      return parsed ? [{ ...parsed, name }] : [];
    });
    return entries.sort((a, b) => a.seq - b.seq || (a.ulid < b.ulid ? -1 : 1));
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  }
}

/** Unfinished writes of Reins and of babysitter that a crash left. */
export const LEFTOVER = new RegExp(`^${RegExp.escape(TEMPORARY_PREFIX)}|\\.tmp-`);

/** Reports files in a journal whose names are not those of entries. */
export async function strayProblems(journal: string): Promise<Problem[]> {
  const names = await readdir(journal).catch(() => []);
  return names
    .filter((name) => !parseEntryName(name) && !LEFTOVER.test(name))
    .toSorted()
    .map((name) => ({
      code: 'journal_corrupt',
      message: `journal/${name}: not a valid entry name, so the file is ignored`,
      path: `journal/${name}`,
      hint: 'Restore its original name if it is an entry, or move it aside with run:repair-journal.',
    }));
}

/** The first problem in the sequence of file names; undefined when it ascends without gaps. */
export function sequenceProblem(files: readonly EntryFile[]): Problem | undefined {
  for (const [i, file] of files.entries()) {
    const before = files[i - 1];
    if (before?.seq === file.seq) return corruptFile(file, `two entries have the number ${file.seq}`);
    if (file.seq !== i + 1) return corruptFile(file, `entry ${i + 1} is missing before this file`);
    if (before && before.ulid >= file.ulid)
      return corruptFile(file, 'its name is not later than that of the previous entry');
  }
  return undefined;
}

/** Some editors add it to everything they save. */
export const BYTE_ORDER_MARK = /^\uFEFF/;

/** The JSON object in a file, whatever its members, or the problem of the file. */
export function jsonOf(file: EntryFile): Readonly<Record<string, unknown>> | Problem {
  try {
    const value: unknown = JSON.parse(file.text.replace(BYTE_ORDER_MARK, ''));
    if (isObject(value)) return value;
  } catch {
    // reported below
  }
  return corruptFile(
    file,
    file.text.trim() === '' ? 'it is empty' : 'not a JSON object (torn file, or not a journal entry)',
  );
}

export function isProblem(value: Readonly<Record<string, unknown>> | Problem): value is Problem {
  return value.code === 'journal_corrupt' && typeof value.message === 'string' && !('data' in value);
}

/** The versions of the first and the last entry of a commit. */
export interface CommitRange {
  readonly first: number;
  readonly last: number;
}

/** An entry of Reins and its commit. */
export interface StoredEntry {
  readonly entry: Entry;
  readonly commit: CommitRange;
}

/**
 * The text of an entry's file: the entry and its commit range. The hash chain does not cover the range, so it has a
 * checksum. Without one, an altered range could make the last commit look cut short.
 */
export function entryFileText({ entry, commit: { first, last } }: StoredEntry): string {
  const checksum = digest('sha256', `${entry.hash} ${first} ${last}`).slice(0, CHECKSUM);
  return textWith(entry, { first, last, checksum });
}

const CHECKSUM = 16;

function textWith({ version, type, recordedAt, data, prev, hash }: Entry, commit: object): string {
  return prettyJson({ version, type, recordedAt, data, prev, hash, commit });
}

/** @throws ReinsError `journal_corrupt` when the file is not exactly what was written */
export function parseEntryFile(file: EntryFile): StoredEntry {
  const value = jsonOf(file);
  if (isProblem(value)) throw new ReinsError(value);
  if (!isOwnEntry(value)) throw new ReinsError(corruptFile(file, 'it is not an entry'));
  const { commit, ...rest } = value as unknown as Entry & { readonly commit: CommitRange };
  const { first, last } = commit;
  const entry = rest as Entry;
  const stored = { entry, commit: { first, last } };
  // The first versions of Reins wrote no checksum.
  if (entryFileText(stored) !== file.text && textWith(entry, { first, last }) !== file.text)
    throw new ReinsError(corruptFile(file, 'it was altered'));
  return stored;
}

/** Whether an entry has the form of Reins: it has its place in the chain, unlike an event of babysitter. */
export function isOwnEntry(value: Readonly<Record<string, unknown>>): boolean {
  const { hash, version, data, commit } = value;
  if (typeof hash !== 'string' || typeof version !== 'number' || !isObject(data) || !isObject(commit)) return false;
  const { first, last } = commit;
  return typeof first === 'number' && typeof last === 'number' && first <= version && version <= last;
}

/** Whether Reins wrote the file. */
export function isOwn(file: EntryFile): boolean {
  const value = jsonOf(file);
  return !isProblem(value) && isOwnEntry(value);
}

/** The readable entry in a file of Reins, whether it was altered or not. */
export function readableEntry(file: EntryFile): Entry | undefined {
  const value = jsonOf(file);
  return !isProblem(value) && isOwnEntry(value) && isObject(value.data) ? (value as unknown as Entry) : undefined;
}

/** Entries that Reins did not append, each as a commit of its own. */
export function asSingleCommits(entries: readonly Entry[]): StoredEntry[] {
  return entries.map((entry) => ({ entry, commit: { first: entry.version, last: entry.version } }));
}

/** Removes a last commit that a crash cut short. It was never acknowledged. */
export function completeCommits(stored: readonly StoredEntry[]): readonly StoredEntry[] {
  const end = stored.at(-1);
  if (!end || end.commit.last === end.entry.version) return stored;
  return stored.filter(({ entry }) => entry.version < end.commit.first);
}

/**
 * The index of the first entry whose commit range does not fit its neighbours; undefined when all fit. The hash chain
 * does not cover commit ranges.
 */
export function commitMismatchAt(stored: readonly StoredEntry[]): number | undefined {
  const at = stored.findIndex(({ entry, commit }, i) => {
    const before = stored[i - 1];
    const isNext = !before || before.commit.last === before.entry.version;
    if (commit.last < entry.version) return true;
    if (isNext) return commit.first !== entry.version;
    return commit.first !== before.commit.first || commit.last !== before.commit.last;
  });
  return at < 0 ? undefined : at;
}

export function corruptFile({ name }: { readonly name: string }, reason: string): Problem {
  return {
    code: 'journal_corrupt',
    message: `journal/${name}: ${reason}`,
    path: `journal/${name}`,
    hint: 'Preview a repair with run:repair-journal --dry-run.',
  };
}

/** Removes the file name from a message. */
export const withoutFileName = (message: string, { name }: EntryFile): string =>
  message.replace(`journal/${name}: `, '');

/**
 * Runs work on entries, and rewrites problems of an entry to name its file.
 * @param files the files of the entries, in order
 * @throws ReinsError `journal_corrupt`
 */
export function withFileNames<T>(files: readonly { readonly name: string }[], work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!isReinsError(error)) throw error;
    throw new ReinsError(
      error.problems.map((problem) => {
        const [, version] = /^entries\[(\d+)\]$/.exec(problem.path ?? '') ?? [];
        const file = files[Number(version) - 1];
        return file ? corruptFile(file, problem.message) : problem;
      }),
    );
  }
}

/** Reads a string member of an entry or of its data, even from a file that is cut off after it. */
export const stringMember = (text: string, name: string): string | undefined =>
  new RegExp(`^ {2,4}"${name}": "([^"\\\\]*)"`, 'm').exec(text)?.[1];

/** Reads a number on a line of its own, even from a file that is cut off after it. */
export function numberMember(text: string, name: string): number | undefined {
  const [, digits] = new RegExp(`^ {2}"${name}": (\\d{1,15}),?$`, 'm').exec(text) ?? [];
  return digits === undefined ? undefined : Number(digits);
}
