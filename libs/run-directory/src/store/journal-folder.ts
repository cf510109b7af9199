import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isErrno, notAFile, readRegular } from './files.ts';
import { LEFTOVER } from './journal-files.ts';
import { type EntryName, parseEntryName } from './layout.ts';

/** A file in the folder of a journal, whatever its name is. */
export interface FolderFile {
  readonly name: string;
  readonly text: string;
  /** What the name says; absent when it is not the name of an entry. */
  readonly named?: EntryName;
}

/** Something in the folder that is not a file. */
interface NotAFile {
  readonly name: string;
  readonly why: string;
}

interface JournalFolder {
  readonly files: readonly FolderFile[];
  readonly others: readonly NotAFile[];
}

/** Reads everything in the folder of a journal, except unfinished writes. Empty when there is no such folder. */
export async function readJournalFolder(journal: string): Promise<JournalFolder> {
  const files: FolderFile[] = [];
  const others: NotAFile[] = [];
  for (const name of await namesIn(journal)) {
    const path = join(journal, name);
    const why = notAFile(path);
    const named = parseEntryName(name);
    if (why !== undefined) others.push({ name, why });
    else files.push({ name, text: readRegular(path, { links: true }).toString('utf8'), ...(named && { named }) });
  }
  return { files, others };
}

async function namesIn(journal: string): Promise<string[]> {
  try {
    return (await readdir(journal)).filter((name) => !LEFTOVER.test(name)).toSorted();
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR')) return [];
    throw error;
  }
}
