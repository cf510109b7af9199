import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, lstat, open, readlink } from 'node:fs/promises';
import { errnoOf } from '../support/errno.ts';
import { fingerprintOf, nowNs, sameFingerprint } from './fingerprint.ts';

/** The content of a file, and the last time at which the file was known to be unchanged. */
export interface ReadFile {
  readonly bytes: Uint8Array;
  readonly seenAtNs: bigint;
}

/** Does not follow links, and does not wait for the other end of a pipe. */
const OPEN_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** File system errors that mean that the file was just removed or replaced. */
const GONE = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO', 'EINVAL']);

/** Whether the error means that the file was removed or replaced after it was scanned. */
export function isGone(error: unknown): boolean {
  return GONE.has(errnoOf(error) ?? '');
}

/** Whether the error means that the file exists but must not be read. */
export function isDenied(error: unknown): boolean {
  const code = errnoOf(error);
  return code === 'EACCES' || code === 'EPERM';
}

/** Reads a regular file or the target of a link. Returns undefined when the file no longer matches the stats. */
export async function readExactly(path: string, stats: BigIntStats): Promise<ReadFile | undefined> {
  try {
    return stats.isSymbolicLink() ? await readTarget(path, stats) : await readContent(path, stats);
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}

async function readContent(path: string, stats: BigIntStats): Promise<ReadFile | undefined> {
  const file = await open(path, OPEN_FLAGS);
  try {
    if (!same(await file.stat({ bigint: true }), stats)) return undefined;
    const bytes = await readSize(file, Number(stats.size));
    const seenAtNs = nowNs();
    const unchanged = bytes !== undefined && same(await file.stat({ bigint: true }), stats);
    return unchanged ? { bytes, seenAtNs } : undefined;
  } finally {
    await file.close();
  }
}

/** Reads exactly this many bytes, even from a file that grows. Undefined when the file is shorter. */
async function readSize(file: FileHandle, size: number): Promise<Uint8Array | undefined> {
  const bytes = Buffer.allocUnsafe(size);
  let filled = 0;
  while (filled < size) {
    const { bytesRead } = await file.read(bytes, filled, size - filled, filled);
    if (bytesRead === 0) return undefined;
    filled += bytesRead;
  }
  return bytes;
}

async function readTarget(path: string, stats: BigIntStats): Promise<ReadFile | undefined> {
  const bytes = await readlink(path, { encoding: 'buffer' });
  const seenAtNs = nowNs();
  return same(await lstat(path, { bigint: true }), stats) ? { bytes, seenAtNs } : undefined;
}

function same(a: BigIntStats, b: BigIntStats): boolean {
  return sameFingerprint(fingerprintOf(a), fingerprintOf(b));
}
