import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, lstat, open, readlink } from 'node:fs/promises';
import { errnoOf } from '../support/errno.ts';
import { fingerprintOf, nowNs, sameFingerprint } from './fingerprint.ts';

/** What was read of a file, and when the file was last seen unchanged. */
export interface ReadFile {
  readonly bytes: Uint8Array;
  readonly seenAtNs: bigint;
}

/** Never through a link, and never waiting for a pipe's other end. */
const OPEN_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** File system errors that mean: what stood here a moment ago does not any more. */
const GONE = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO', 'EINVAL']);

/** Whether an error says that the file was replaced or removed between two looks at it. */
export function isGone(error: unknown): boolean {
  return GONE.has(errnoOf(error) ?? '');
}

/** Whether an error says that the file stands there, but not for us to read. */
export function isDenied(error: unknown): boolean {
  const code = errnoOf(error);
  return code === 'EACCES' || code === 'EPERM';
}

/** Reads a regular file or a link's target; undefined when it is not, or not any more, what the stats say. */
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

/** Exactly this many bytes; undefined when the file is shorter. One that grows is not read without end. */
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
