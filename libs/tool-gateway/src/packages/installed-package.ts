import { createHash } from 'node:crypto';
import { lstat, readdir, readFile, readlink, utimes, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { isObject, mapParallel, parseJson } from '@reins/contracts';
import type { PackagePrograms } from './installer.ts';

/** Written last. A folder without it is not an installed package. */
const RECORD = '.reins-package.json';
/** Python writes it on its own, where it may. */
const BYTECODE = '__pycache__';
const CONCURRENCY = 64;

/** What an installed package has. */
export interface PackageRecord extends PackagePrograms {
  /** The declared hash that the package was compared with, or the hash that npm recorded. */
  readonly integrity?: string;
  /** A hash of the names and sizes of all files. */
  readonly files: string;
}

/** Describes a complete installation, in its folder. */
export async function writeRecord(folder: string, found: Omit<PackageRecord, 'files'>): Promise<PackageRecord> {
  const record: PackageRecord = { ...found, files: await fingerprint(folder) };
  await writeFile(join(folder, RECORD), JSON.stringify(record));
  return record;
}

/**
 * Reads the description of an installed package, and records its use. Undefined: nothing is installed in the folder, or
 * files of it are missing or have another size.
 */
export async function readRecord(folder: string): Promise<PackageRecord | undefined> {
  const file = join(folder, RECORD);
  try {
    const record = parseJson(await readFile(file));
    if (!isObject(record) || record.files !== (await fingerprint(folder))) return undefined;
    const now = new Date();
    await utimes(file, now, now);
    return record as unknown as PackageRecord;
  } catch {
    return undefined;
  }
}

/** When an installed package was last used; undefined if nothing is installed in the folder. */
export async function lastUse(folder: string): Promise<Date | undefined> {
  return (await lstat(join(folder, RECORD)).catch(() => undefined))?.mtime;
}

async function fingerprint(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const lines = await mapParallel(entries, CONCURRENCY, async (entry) => {
    const path = join(entry.parentPath, entry.name);
    const name = relative(folder, path);
    if (entry.isDirectory() || name === RECORD || name.includes(BYTECODE)) return '';
    const content = entry.isSymbolicLink() ? await readlink(path) : (await lstat(path)).size;
    return `${name}\0${content}`;
  });
  const present = lines.filter((line) => line !== '').toSorted();
  return createHash('sha256').update(present.join('\n')).digest('hex');
}
