import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { mkdir, open, readdir, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ReinsError } from '@reins/contracts';

/** Whether an error is a file system error with one of these codes. */
export function isErrno(error: unknown, ...codes: string[]): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && codes.includes(String(error.code));
}

/** Why a path cannot be read as a file; undefined when it can. */
export function notAFile(path: string): string | undefined {
  const found = statIfThere(path);
  if (found?.isFile()) return undefined;
  if (found?.isDirectory()) return 'it is a folder';
  if (found) return 'it is not a file';
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()
    ? 'it is a symbolic link to a file that does not exist'
    : undefined;
}

function statIfThere(path: string) {
  try {
    return statSync(path);
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ELOOP', 'ENOTDIR')) return undefined;
    throw error;
  }
}

/** The text of a file; undefined when it does not exist. @throws ReinsError `journal_corrupt` for anything but a file */
export function readIfExists(path: string): string | undefined {
  try {
    return readRegular(path).toString('utf8');
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw withPath(path, error);
  }
}

/** Larger files than any that we write. Text of this length does not fit into a string. */
const MAX_BYTES = 512 * 1024 * 1024 - 64;

/**
 * Reads a file. A pipe would block, a device may have no end, and a link may lead to a file that is not of the run.
 * @param links whether a symbolic link is followed
 * @throws ReinsError `journal_corrupt` for anything else than a file; errors of the file system
 */
export function readRegular(path: string, { links = false }: { readonly links?: boolean } = {}): Buffer {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  let handle: number;
  try {
    handle = openSync(path, O_RDONLY | O_NONBLOCK | (links ? 0 : O_NOFOLLOW));
  } catch (error) {
    throw isErrno(error, 'ELOOP') && !links ? unusable(path, 'it is a symbolic link') : error;
  }
  try {
    const found = fstatSync(handle);
    if (!found.isFile() && !found.isDirectory()) throw unusable(path, 'it is not a file');
    if (found.isFile() && found.size > MAX_BYTES) throw unusable(path, `it has more than ${MAX_BYTES} bytes`);
    return readFileSync(handle);
  } finally {
    closeSync(handle);
  }
}

const unusable = (path: string, reason: string): ReinsError =>
  new ReinsError({
    code: 'journal_corrupt',
    message: `${path}: ${reason}`,
    path,
    hint: 'Move it away; then restore it from a copy, or rebuild it with run:rebuild-state or run:repair-journal.',
  });

/** The format of all JSON in a run directory. */
export function prettyJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/**
 * Replaces the content of a file atomically: readers see the old or the new content. All writes here are synchronous:
 * the calls are short, and passing each to the thread pool costs more.
 */
export function replaceFile(path: string, text: string | Uint8Array, options: { readonly durable: boolean }): void {
  const temporary = temporaryName(dirname(path));
  try {
    writeWhole(temporary, text, options.durable);
    renameSync(temporary, path);
  } catch (error) {
    removeQuietly(temporary);
    throw withPath(path, error);
  }
  if (options.durable) syncDirectory(dirname(path));
}

/**
 * Creates a file atomically and durably.
 * @param temporaries directory for unfinished files, on the same file system
 * @returns false when the file exists already
 */
export function createFile(path: string, text: string | Uint8Array, temporaries: string, durable = true): boolean {
  const temporary = temporaryName(temporaries);
  try {
    writeWhole(temporary, text, durable);
    linkSync(temporary, path);
    return true;
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return false;
    throw withPath(path, error);
  } finally {
    removeQuietly(temporary);
  }
}

/**
 * Creates files one after the other like `createFile`, but waits for the disk once for all contents. That costs little
 * more than a single file.
 * @returns false when a file exists already; the files before it were created then
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
    throw withPath(current, error);
  } finally {
    for (const { temporary } of written) removeQuietly(temporary);
  }
}

/** Makes the content of a file durable. */
export async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Makes the names in a directory durable. Syncing the files alone does not. */
export function syncDirectory(path: string): void {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } catch (error) {
    // Some file systems do not support syncing directories and write names through.
    if (!isErrno(error, 'EINVAL', 'EPERM', 'EISDIR')) throw error;
  } finally {
    closeSync(handle);
  }
}

export async function makeDirectories(paths: readonly string[]): Promise<void> {
  // Wait for all before throwing, so that a caller can remove everything that was made.
  const made = await Promise.allSettled(paths.map((path) => mkdir(path, { recursive: true })));
  for (const one of made) if (one.status === 'rejected') throw one.reason;
}

/** Prefix of unfinished files. A crash may leave some, and nothing reads them. */
export const TEMPORARY_PREFIX = '.unfinished-';

/** Removes the unfinished files that crashes left. Call it only while no other process writes. */
export async function removeUnfinished(directories: readonly string[]): Promise<void> {
  for (const directory of directories) {
    const names = await readdir(directory).catch(() => []);
    for (const name of names)
      if (name.startsWith(TEMPORARY_PREFIX)) await unlink(join(directory, name)).catch(() => undefined);
  }
}

/** Unique for each write, even when a later process has the same id. */
const temporaryName = (directory: string): string => {
  writes += 1;
  return `${directory}/${TEMPORARY_PREFIX}${process.pid}-${PROCESS_TAG}-${writes}`;
};

const PROCESS_TAG = randomBytes(4).toString('hex');
let writes = 0;

function writeWhole(path: string, text: string | Uint8Array, durable: boolean): void {
  const handle = openSync(path, 'wx');
  try {
    writeFileSync(handle, text);
    if (durable) fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/**
 * Adds the path to a file system error. Errors of open files have no path, and those of temporary files have one that
 * means nothing to users.
 */
function withPath(path: string, error: unknown): unknown {
  const isOfFiles = typeof error === 'object' && error !== null && 'syscall' in error;
  return isOfFiles ? Object.assign(error, { path, dest: undefined }) : error;
}

function removeQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // another process removed it, or a later cleanup will
  }
}
