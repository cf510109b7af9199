import { lstatSync, realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { refusal } from '../refusals.ts';

const HINT = 'Read files in the folder of the process.';

let isOwn: (file: string) => boolean = () => false;

/** Sets which files a process may read. @param files receives a real path */
export function allowReading(files: (file: string) => boolean): void {
  isOwn = files;
}

/** Whether a process may read the file at this real path. */
export const isPlaced = (file: string): boolean => isOwn(file);

/**
 * The real path of a file. Rejects numbers, since a number could be the descriptor of one of our pipes. The permission
 * model checks the path as written, so links are resolved first.
 */
export function placed(path: unknown): string {
  if (typeof path !== 'string' && !(path instanceof URL)) throw refusal('access to open files');
  const file = realPathOf(path);
  if (!isOwn(file)) throw refusal(`access to ${String(path)}`, HINT);
  return file;
}

/** If the operating system hides a file, or the target of a link, it looks like a missing file. */
function realPathOf(path: string | URL): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    const named = resolve(path instanceof URL ? fileURLToPath(path) : path);
    if (!isOwn(named) || leadsOut(named)) throw refusal(`access to ${String(path)}`, HINT);
    throw error;
  }
}

/** Whether the existing part of a path ends in a broken link. */
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

/** Like `reading`, asynchronous. */
export async function readingLater<T>(path: unknown, read: (file: string) => Promise<T>): Promise<T> {
  try {
    return await read(placed(path));
  } catch (error) {
    throw refusedIfDenied(error, path);
  }
}

/** Replaces the message of the permission model, which advises authors to grant more permissions. */
function refusedIfDenied(error: unknown, path: unknown): unknown {
  const isDenied = error instanceof Error && 'code' in error && error.code === 'ERR_ACCESS_DENIED';
  return isDenied ? refusal(`access to ${String(path)}`, HINT) : error;
}

export type Encoding = BufferEncoding | { readonly encoding?: BufferEncoding };

/** Null means bytes. */
export function encodingOf(options: Encoding | undefined): BufferEncoding | null {
  const encoding = typeof options === 'string' ? options : options?.encoding;
  return typeof encoding === 'string' ? encoding : null; // Ignores other options of Node.js.
}
