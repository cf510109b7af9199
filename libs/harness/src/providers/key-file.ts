import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** More than the longest key, which is a token with claims. */
const MAX_BYTES = 64 * 1024;

/**
 * Reads the key of a provider from its file, without the end of the line. Empty if there is no such file. A file is
 * read at each use, so that a new key needs no restart.
 */
export function readKeyFile(path: string): string {
  let file: number;
  try {
    // A pipe without a writer must not block the host.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    return '';
  }
  try {
    const stats = fstatSync(file);
    if (!stats.isFile() || stats.size > MAX_BYTES) return '';
    const bytes = Buffer.alloc(MAX_BYTES);
    return bytes.subarray(0, readSync(file, bytes)).toString('utf8').trim();
  } catch {
    return '';
  } finally {
    closeSync(file);
  }
}
