import { hash as digest } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { isObject, isReinsError, type Problem, ReinsError } from '@reins/contracts';
import type { Entry } from '../entries/entry.ts';
import { isErrno, prettyJson, TEMPORARY_PREFIX } from './files.ts';
import { type EntryName, parseEntryName } from './layout.ts';

/** One file of a journal, as it lies there. */
export interface EntryFile extends EntryName {
  readonly name: string;
  readonly text: string;
}

/** How many files are read before others get their turn. */
const BATCH = 512;

/** The entries' files in the order of their names; undefined when there is no journal at all. */
export async function readJournalFiles(journal: string): Promise<EntryFile[] | undefined> {
  const names = await entryNames(journal);
  if (!names) return undefined;
  const files: EntryFile[] = [];
  for (const [i, name] of names.entries()) {
    if (i % BATCH === BATCH - 1) await turn();
    files.push({ ...name, text: readFileSync(join(journal, name.name), 'utf8') });
  }
  return files;
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

/** Unfinished writes of ours, and of babysitter's: what a crash leaves, and nobody misses. */
const LEFTOVER = new RegExp(`^${RegExp.escape(TEMPORARY_PREFIX)}|\\.tmp-`);

/** What lies in a journal and is no entry by its name. */
export async function strayProblems(journal: string): Promise<Problem[]> {
  const names = await readdir(journal).catch(() => []);
  return names
    .filter((name) => !parseEntryName(name) && !LEFTOVER.test(name))
    .toSorted()
    .map((name) => ({
      code: 'journal_corrupt',
      message: `journal/${name}: it is no entry by its name, and nobody reads it`,
      path: `journal/${name}`,
      hint: 'give it back the name that it had, if it was an entry; otherwise move it out of journal/',
    }));
}

/** What is wrong with the row of names; undefined when it is gapless and ascending. */
export function wrongRow(files: readonly EntryFile[]): Problem | undefined {
  for (const [i, file] of files.entries()) {
    const before = files[i - 1];
    if (before?.seq === file.seq) return corruptFile(file, `number ${file.seq} stands there twice`);
    if (file.seq !== i + 1) return corruptFile(file, `number ${i + 1} is missing`);
    if (before && before.ulid >= file.ulid) return corruptFile(file, 'its name is not later than the one before');
  }
  return undefined;
}

/** Some editors put it before everything they save. */
export const BYTE_ORDER_MARK = /^\uFEFF/;

/** Everything of this file that is JSON at all. */
export function jsonOf(file: EntryFile): Readonly<Record<string, unknown>> | Problem {
  try {
    const value: unknown = JSON.parse(file.text.replace(BYTE_ORDER_MARK, ''));
    if (isObject(value)) return value;
  } catch {
    // told below
  }
  return corruptFile(file, file.text.trim() === '' ? 'it is empty' : 'it is no JSON object: torn, or not an entry');
}

export function isProblem(value: Readonly<Record<string, unknown>> | Problem): value is Problem {
  return value.code === 'journal_corrupt' && typeof value.message === 'string' && !('data' in value);
}

/** The versions of the first and the last entry that were appended together. */
export interface CommitRange {
  readonly first: number;
  readonly last: number;
}

/** An entry of ours and the commit it came in. */
export interface StoredEntry {
  readonly entry: Entry;
  readonly commit: CommitRange;
}

/**
 * An entry as we write it: itself, and beside it which commit it is of. That has a checksum of its own: the chain does not cover it, and a
 * last entry of which it says that there is more of its commit would count as cut short.
 */
export function entryText({ entry, commit: { first, last } }: StoredEntry): string {
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
  // The first ones that we wrote had no checksum.
  if (entryText(stored) !== file.text && textWith(entry, { first, last }) !== file.text)
    throw new ReinsError(corruptFile(file, 'it is not what was written'));
  return stored;
}

/** Ours know their place in the chain; a babysitter's do not. */
export function isOwnEntry(value: Readonly<Record<string, unknown>>): boolean {
  const { hash, version, data, commit } = value;
  if (typeof hash !== 'string' || typeof version !== 'number' || !isObject(data) || !isObject(commit)) return false;
  const { first, last } = commit;
  return typeof first === 'number' && typeof last === 'number' && first <= version && version <= last;
}

/** Entries that were not appended by us, each as a commit of its own. */
export function alone(entries: readonly Entry[]): StoredEntry[] {
  return entries.map((entry) => ({ entry, commit: { first: entry.version, last: entry.version } }));
}

/** A commit that a crash cut short was never acknowledged: what is there of it does not count. */
export function wholeCommits(stored: readonly StoredEntry[]): readonly StoredEntry[] {
  const end = stored.at(-1);
  if (!end || end.commit.last === end.entry.version) return stored;
  return stored.filter(({ entry }) => entry.version < end.commit.first);
}

/**
 * The first entry whose commit does not fit those around it, by its place: the hash chain does not cover which commit an entry came in. Undefined
 * when they stand one behind the other.
 */
export function misfitOf(stored: readonly StoredEntry[]): number | undefined {
  const at = stored.findIndex(({ entry, commit }, i) => {
    const before = stored[i - 1];
    const isNext = !before || before.commit.last === before.entry.version;
    if (commit.last < entry.version) return true;
    if (isNext) return commit.first !== entry.version;
    return commit.first !== before.commit.first || commit.last !== before.commit.last;
  });
  return at < 0 ? undefined : at;
}

export function corruptFile({ name }: { readonly name: string }, wrong: string): Problem {
  return {
    code: 'journal_corrupt',
    message: `journal/${name}: ${wrong}`,
    path: `journal/${name}`,
    hint: 'see what run:repair-journal would do',
  };
}

/**
 * Does something with entries, and tells what is wrong with one of them by its file.
 * @param files of the entries, in their order
 * @throws ReinsError `journal_corrupt`
 */
export function toldByFile<T>(files: readonly { readonly name: string }[], work: () => T): T {
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

/** A text that the entry in a file has, or the data of it; also of one that is cut off behind it. */
export const memberOf = (text: string, name: string): string | undefined =>
  new RegExp(`^ {2,4}"${name}": "([^"\\\\]*)"`, 'm').exec(text)?.[1];
