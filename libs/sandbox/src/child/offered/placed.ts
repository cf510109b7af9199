import { lstatSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { refusal } from '../refusals.ts';

const HINT = 'Read files in the folder of the process.';

let hidden: readonly string[] = [];

/** Hides folders within the folder of the process. */
export function hide(folders: readonly string[]): void {
  hidden = folders;
}

/**
 * The real path of a file. A number is refused, since it would be a pipe of ours. The permission model checks a path as it is written, so
 * links are followed first.
 */
export function placed(path: unknown): string {
  if (typeof path !== 'string' && !(path instanceof URL)) throw refusal('access to open files');
  const file = realPathOf(path);
  if (hidden.some((folder) => file === folder || file.startsWith(join(folder, '/'))))
    throw refusal(`access to ${String(path)}`, HINT);
  return file;
}

/** Where the operating system hides what a link leads to, that looks like a file that is not there. */
function realPathOf(path: string | URL): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    if (leadsOut(resolve(path instanceof URL ? fileURLToPath(path) : path)))
      throw refusal(`access to ${String(path)}`, HINT);
    throw error;
  }
}

/** Whether what is there of a path ends in a link that leads to nothing. */
function leadsOut(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found) return found.isSymbolicLink();
  const parent = dirname(path);
  return parent !== path && leadsOut(parent);
}

/**
 * Reads a file by a path of the process.
 * @throws ReinsError `process_access_refused` for a path outside of its folder; otherwise errors of Node.js
 */
export function reading<T>(path: unknown, read: (file: string) => T): T {
  try {
    return read(placed(path));
  } catch (error) {
    throw refusedIfDenied(error, path);
  }
}

/** As `reading`, asynchronous. */
export async function readingLater<T>(path: unknown, read: (file: string) => Promise<T>): Promise<T> {
  try {
    return await read(placed(path));
  } catch (error) {
    throw refusedIfDenied(error, path);
  }
}

/** The message of the permission model advises to be less strict: not for authors. */
function refusedIfDenied(error: unknown, path: unknown): unknown {
  const isDenied = error instanceof Error && 'code' in error && error.code === 'ERR_ACCESS_DENIED';
  return isDenied ? refusal(`access to ${String(path)}`, HINT) : error;
}

export type Encoding = BufferEncoding | { readonly encoding?: BufferEncoding };

/** Null means bytes. */
export function encodingOf(options: Encoding | undefined): BufferEncoding | null {
  return typeof options === 'string' ? options : (options?.encoding ?? null);
}
