import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rename, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** A file system error of this code. */
export function isErrno(error: unknown, ...codes: string[]): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && codes.includes(String(error.code));
}

/** The text of a file; undefined when there is none. */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  }
}

/** As all JSON in a run directory is written. */
export function prettyJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Puts a new content in place of the old one: a reader sees one or the other, whatever happens in between. */
export async function replaceFile(path: string, text: string, options: { readonly durable: boolean }): Promise<void> {
  const temporary = temporaryName(dirname(path));
  await writeWhole(temporary, text, options.durable);
  try {
    await rename(temporary, path);
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw error;
  }
  if (options.durable) await syncDirectory(dirname(path));
}

/**
 * Creates a file with this content, whole and durable, or not at all.
 * @param temporaries where unfinished content may lie; on the same file system
 * @returns false when the name is taken
 */
export async function createFile(path: string, text: string, temporaries: string, durable = true): Promise<boolean> {
  const temporary = temporaryName(temporaries);
  await writeWhole(temporary, text, durable);
  try {
    await link(temporary, path);
    return true;
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return false;
    throw error;
  } finally {
    await unlink(temporary).catch(() => undefined);
  }
}

/** Names in a directory survive a power failure only when the directory itself was written. */
export async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } catch (error) {
    // Some file systems know no sync of directories; they write names through.
    if (!isErrno(error, 'EINVAL', 'EPERM', 'EISDIR')) throw error;
  } finally {
    await handle.close();
  }
}

export async function makeDirectories(paths: readonly string[]): Promise<void> {
  await Promise.all(paths.map((path) => mkdir(path, { recursive: true })));
}

/** What a crash leaves of a write has this prefix, and nobody reads it. */
export const TEMPORARY_PREFIX = '.unfinished-';

const temporaryName = (directory: string): string =>
  join(directory, `${TEMPORARY_PREFIX}${process.pid}-${randomBytes(6).toString('hex')}`);

async function writeWhole(path: string, text: string, durable: boolean): Promise<void> {
  const handle = await open(path, 'wx');
  try {
    await handle.writeFile(text);
    if (durable) await handle.sync();
  } finally {
    await handle.close();
  }
}
