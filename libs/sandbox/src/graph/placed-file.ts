import { constants } from 'node:fs';
import { type FileHandle, lstat, open, realpath, stat } from 'node:fs/promises';
import { isAbsolute, relative, sep } from 'node:path';
import { isOwnState } from './hidden-folders.ts';

/** The reason why a file does not belong to the process; undefined when it does. */
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

/** The result of reading a file: its bytes, or the reason for the failure. */
export type Read = { readonly bytes: Buffer } | { readonly reason: string };

/**
 * Reads a file of a process. The author may have put a link, a pipe or a device at the path, also concurrently. Only a
 * regular file in the folder is read, up to `maxBytes`.
 */
export async function readPlaced(root: string, file: string, maxBytes: number): Promise<Read> {
  const before = await misplacement(root, file);
  if (before !== undefined) return { reason: before };
  // Opening a pipe without a writer would block, and a link could lead outside.
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    () => undefined,
  );
  if (handle === undefined) return { reason: 'missing' };
  try {
    return await readOpened(root, file, handle, maxBytes);
  } finally {
    await handle.close();
  }
}

async function readOpened(root: string, file: string, handle: FileHandle, maxBytes: number): Promise<Read> {
  const opened = await handle.stat();
  if (!opened.isFile()) return { reason: 'missing' };
  const after = await misplacement(root, file);
  if (after !== undefined) return { reason: after };
  if (opened.size > maxBytes) return { reason: `it has more than ${maxBytes} bytes` };
  const bytes = Buffer.alloc(opened.size);
  let size = 0;
  for (let got = -1; got !== 0 && size < bytes.length; size += got)
    got = (await handle.read(bytes, size, bytes.length - size, size)).bytesRead;
  return { bytes: bytes.subarray(0, size) };
}
