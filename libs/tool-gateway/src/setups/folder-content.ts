import { createHash, type Hash } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, open, readdir, readlink } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { mapParallel } from '@reins/contracts';

const CONCURRENCY = 32;

/** One entry of a folder. Folders, and what is neither a file nor a link, are left out. */
interface Entry {
  readonly name: string;
  readonly path: string;
  readonly isLink: boolean;
}

async function entriesOf(folder: string): Promise<readonly Entry[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  return found
    .filter((entry) => entry.isFile() || entry.isSymbolicLink())
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return { name: relative(folder, path), path, isLink: entry.isSymbolicLink() };
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

const sha256 = (): Hash => createHash('sha256');

/** How much may still be read of a folder. A sparse file is larger than what it uses of the disk. */
interface Budget {
  bytes: number;
}

/** A folder has more bytes than may be read of it. */
export class FolderTooLarge extends Error {}

const PART_BYTES = 256 * 1024;

/**
 * Reads a file in parts. @throws FolderTooLarge, and Error when it is not a file any more: other processes may change
 * the folder
 */
async function readParts(
  path: string,
  budget: Budget,
  use: (part: Buffer) => void,
): Promise<{ readonly mode: number }> {
  await using file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const stat = await file.stat();
  if (!stat.isFile()) throw new Error(`${path} is not a file`);
  const buffer = Buffer.alloc(Math.min(PART_BYTES, stat.size + 1));
  for (;;) {
    const { bytesRead } = await file.read(buffer, 0, buffer.length, null);
    if (bytesRead === 0) return stat;
    budget.bytes -= bytesRead;
    if (budget.bytes < 0) throw new FolderTooLarge(`the folder of ${path} is too large`);
    use(buffer.subarray(0, bytesRead));
  }
}

/** A hash of the names, modes and contents of all files. @throws FolderTooLarge */
export async function contentHash(folder: string, maxBytes: number): Promise<string> {
  const budget = { bytes: maxBytes };
  const lines = await mapParallel(await entriesOf(folder), CONCURRENCY, async ({ name, path, isLink }) => {
    if (isLink) return `${name}\0link\0${await readlink(path)}`;
    const hash = sha256();
    const { mode } = await readParts(path, budget, (part) => void hash.update(part));
    return `${name}\0${mode & 0o777}\0${hash.digest('hex')}`;
  });
  return sha256().update(lines.join('\n')).digest('hex');
}

/** The names of all files, their total size, and a hash of names and sizes. */
export interface FolderList {
  readonly names: readonly string[];
  readonly bytes: number;
  readonly hash: string;
}

/** Lists the files of a folder. */
export async function listFolder(folder: string): Promise<FolderList> {
  const entries = await entriesOf(folder);
  const sizes = await mapParallel(entries, CONCURRENCY, async ({ path }) => (await lstat(path)).size);
  const lines = entries.map(({ name }, index) => `${name}\0${sizes[index]}`);
  return {
    names: entries.map(({ name }) => name),
    bytes: sizes.reduce((sum, size) => sum + size, 0),
    hash: sha256().update(lines.join('\n')).digest('hex'),
  };
}

/** Whether a file or link of a folder has a text. @throws FolderTooLarge */
export async function mentions(folder: string, text: string, maxBytes: number): Promise<boolean> {
  const budget = { bytes: maxBytes };
  const found = await mapParallel(await entriesOf(folder), CONCURRENCY, async ({ path, isLink }) => {
    if (isLink) return (await readlink(path)).includes(text);
    let isFound = false;
    // The end of the part before it: the text may be split.
    let before = Buffer.alloc(0);
    await readParts(path, budget, (part) => {
      const both = Buffer.concat([before, part]);
      isFound ||= both.includes(text);
      before = Buffer.from(both.subarray(-text.length));
    });
    return isFound;
  });
  return found.includes(true);
}
