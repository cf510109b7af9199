import { createHash, type Hash } from 'node:crypto';
import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
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

/** A hash of the names, modes and contents of all files. */
export async function contentHash(folder: string): Promise<string> {
  const lines = await mapParallel(await entriesOf(folder), CONCURRENCY, async ({ name, path, isLink }) => {
    if (isLink) return `${name}\0link\0${await readlink(path)}`;
    const [bytes, { mode }] = await Promise.all([readFile(path), lstat(path)]);
    return `${name}\0${mode & 0o777}\0${sha256().update(bytes).digest('hex')}`;
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

/** Whether a file or link of a folder has a text. */
export async function mentions(folder: string, text: string): Promise<boolean> {
  const found = await mapParallel(await entriesOf(folder), CONCURRENCY, async ({ path, isLink }) =>
    isLink ? (await readlink(path)).includes(text) : (await readFile(path)).includes(text),
  );
  return found.includes(true);
}
