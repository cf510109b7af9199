import { constants } from 'node:fs';
import { type FileHandle, lstat, open, realpath, stat } from 'node:fs/promises';
import { isAbsolute, relative, sep } from 'node:path';
import { isOwnState } from './hidden-folders.ts';

/** Why a file does not belong to the process; undefined when it does. */
export async function misplacement(root: string, file: string): Promise<string | undefined> {
  const inner = relative(root, file);
  if (inner === '' || inner === '..' || inner.startsWith(`..${sep}`) || isAbsolute(inner))
    return 'it is not in the folder of the process';
  if (isOwnState(root, file)) return 'it is in a folder of Reins or git';
  const real = await realpath(file).catch(() => undefined);
  if (real === undefined) return (await isLink(file)) ? 'a symbolic link leads to it' : 'missing';
  if (real !== file) return 'a symbolic link leads to it';
  return (await stat(real)).isFile() ? undefined : 'missing';
}

const isLink = async (file: string): Promise<boolean> =>
  (await lstat(file).catch(() => undefined))?.isSymbolicLink() ?? false;

/** What was read of a file: its bytes, or why there are none. */
export type Read = { readonly bytes: Buffer } | { readonly wrong: string };

/**
 * Reads a file of a process. An author may have put anything at the path, also meanwhile: a link, a pipe, a device. Only a regular file in
 * the folder is read, and no more than `maxBytes` of it.
 */
export async function readPlaced(root: string, file: string, maxBytes: number): Promise<Read> {
  const before = await misplacement(root, file);
  if (before !== undefined) return { wrong: before };
  // A pipe without a writer would block, and a link would lead away.
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    () => undefined,
  );
  if (handle === undefined) return { wrong: 'missing' };
  try {
    return await readOpened(root, file, handle, maxBytes);
  } finally {
    await handle.close();
  }
}

async function readOpened(root: string, file: string, handle: FileHandle, maxBytes: number): Promise<Read> {
  const opened = await handle.stat();
  if (!opened.isFile()) return { wrong: 'missing' };
  const after = await misplacement(root, file);
  if (after !== undefined) return { wrong: after };
  if (opened.size > maxBytes) return { wrong: `it has more than ${maxBytes} bytes` };
  const bytes = Buffer.alloc(opened.size);
  let size = 0;
  for (let got = -1; got !== 0 && size < bytes.length; size += got)
    got = (await handle.read(bytes, size, bytes.length - size, size)).bytesRead;
  return { bytes: bytes.subarray(0, size) };
}
