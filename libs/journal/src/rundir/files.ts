import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { mkdir, open, readdir, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** A file system error of this code. */
export function isErrno(error: unknown, ...codes: string[]): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && codes.includes(String(error.code));
}

/** The text of a file; undefined when there is none. */
export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw about(path, error);
  }
}

/** As all JSON in a run directory is written. */
export function prettyJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/**
 * Puts a new content in place of the old one: a reader sees one or the other, whatever happens in between. Synchronous, as all
 * writing here: the calls are short, and handing each to the thread pool costs more than doing it.
 */
export function replaceFile(path: string, text: string, options: { readonly durable: boolean }): void {
  const temporary = temporaryName(dirname(path));
  try {
    writeWhole(temporary, text, options.durable);
    renameSync(temporary, path);
  } catch (error) {
    removeQuietly(temporary);
    throw about(path, error);
  }
  if (options.durable) syncDirectory(dirname(path));
}

/**
 * Creates a file with this content, whole and durable, or not at all.
 * @param temporaries where unfinished content may lie; on the same file system
 * @returns false when the name is taken
 */
export function createFile(path: string, text: string, temporaries: string, durable = true): boolean {
  const temporary = temporaryName(temporaries);
  try {
    writeWhole(temporary, text, durable);
    linkSync(temporary, path);
    return true;
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return false;
    throw about(path, error);
  } finally {
    removeQuietly(temporary);
  }
}

/**
 * Creates files one after the other, each as `createFile` does, but waits for the disk once for all of their contents: together they cost
 * little more than one.
 * @returns false when a name is taken; the files before it exist then
 */
export async function createFiles(
  files: readonly { readonly path: string; readonly text: string }[],
  temporaries: string,
): Promise<boolean> {
  const written = files.map((file) => ({ ...file, temporary: temporaryName(temporaries) }));
  let current = '';
  try {
    for (const { path, text, temporary } of written) {
      current = path;
      writeWhole(temporary, text, false);
    }
    await Promise.all(written.map(({ temporary }) => syncFile(temporary)));
    for (const { path, temporary } of written) {
      current = path;
      linkSync(temporary, path);
    }
    return true;
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return false;
    throw about(current, error);
  } finally {
    for (const { temporary } of written) removeQuietly(temporary);
  }
}

/** The content of a file survives a power failure. */
export async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Names in a directory survive a power failure only when the directory itself was written. */
export function syncDirectory(path: string): void {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } catch (error) {
    // Some file systems know no sync of directories; they write names through.
    if (!isErrno(error, 'EINVAL', 'EPERM', 'EISDIR')) throw error;
  } finally {
    closeSync(handle);
  }
}

export async function makeDirectories(paths: readonly string[]): Promise<void> {
  // A failure is told when none is made any more: whoever then removes what was made removes all of it.
  const made = await Promise.allSettled(paths.map((path) => mkdir(path, { recursive: true })));
  for (const one of made) if (one.status === 'rejected') throw one.reason;
}

/** What a crash leaves of a write has this prefix, and nobody reads it. */
export const TEMPORARY_PREFIX = '.unfinished-';

/** Removes what crashes left of writes; only where nobody else is writing. */
export async function removeUnfinished(directories: readonly string[]): Promise<void> {
  for (const directory of directories) {
    const names = await readdir(directory).catch(() => []);
    for (const name of names)
      if (name.startsWith(TEMPORARY_PREFIX)) await unlink(join(directory, name)).catch(() => undefined);
  }
}

/** No two writes have the same one: not in this process, not in another that has its id after it. */
const temporaryName = (directory: string): string => {
  writes += 1;
  return `${directory}/${TEMPORARY_PREFIX}${process.pid}-${LIFE}-${writes}`;
};

const LIFE = randomBytes(4).toString('hex');
let writes = 0;

function writeWhole(path: string, text: string, durable: boolean): void {
  const handle = openSync(path, 'wx');
  try {
    writeFileSync(handle, text);
    if (durable) fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/**
 * An error of the file system with the file that it is about: one at an open file names none, and one at a temporary file names what nobody
 * has ever seen.
 */
function about(path: string, error: unknown): unknown {
  const isOfFiles = typeof error === 'object' && error !== null && 'syscall' in error;
  return isOfFiles ? Object.assign(error, { path, dest: undefined }) : error;
}

function removeQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // somebody else did, or will
  }
}
