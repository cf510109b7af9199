import { lstatSync, statSync } from 'node:fs';
import { isErrno } from './files.ts';

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
