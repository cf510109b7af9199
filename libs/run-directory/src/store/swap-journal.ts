import { existsSync } from 'node:fs';
import { access, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createFiles, isErrno, makeDirectories, syncDirectory } from './files.ts';
import { type EntryFile, readJournalFiles } from './journal-files.ts';
import type { RunPaths } from './layout.ts';

/** The new journal gets this name once it is complete, and then replaces the old one. */
const nextOf = (paths: RunPaths): string => join(paths.root, 'journal.next');
const buildOf = (paths: RunPaths): string => join(paths.root, 'journal.building');

/**
 * Replaces the journal with these files and keeps the old one. A crash leaves the old or the new journal, never
 * neither. The next process that opens the run completes or discards the swap.
 * @param label suffix of the kept journal: `journal.<label>`
 * @returns the path of the old journal
 */
export async function swapJournal(
  paths: RunPaths,
  files: readonly { readonly name: string; readonly text: string }[],
  label: string,
): Promise<string> {
  const building = buildOf(paths);
  await rm(building, { recursive: true, force: true });
  await makeDirectories([building]);
  await createFiles(
    files.map(({ name, text }) => ({ path: join(building, name), text })),
    building,
  );
  syncDirectory(building);
  await rename(building, nextOf(paths));
  const kept = join(paths.root, `journal.${label}`);
  await rename(paths.journal, kept);
  // The state is that of the old journal: a crash must not leave it next to the new one.
  await rm(paths.stateFile, { force: true });
  await rename(nextOf(paths), paths.journal);
  syncDirectory(paths.root);
  return kept;
}

/**
 * The folder that has the journal now: between two steps of a swap it is the new one. For readers without the lock,
 * which change nothing.
 */
export async function currentJournal(paths: RunPaths): Promise<string> {
  return !(await exists(paths.journal)) && (await exists(nextOf(paths))) ? nextOf(paths) : paths.journal;
}

/** How often a reader starts again when the journal is replaced meanwhile. */
const READS = 5;

/** The files of the journal, also while another process replaces it. */
export async function filesOf(paths: RunPaths): Promise<EntryFile[] | undefined> {
  for (let read = 1; ; read += 1) {
    try {
      const files = await readJournalFiles(await currentJournal(paths));
      if (files || read === READS || !existsSync(paths.journal)) return files;
    } catch (error) {
      if (read === READS || !isErrno(error, 'ENOENT')) throw error;
    }
  }
}

/** Completes or discards a swap that a crash interrupted. The caller holds the lock: a swap may be under way. */
export async function recoverSwap(paths: RunPaths): Promise<void> {
  if (!(await exists(nextOf(paths)))) return;
  if (await exists(paths.journal)) await rm(nextOf(paths), { recursive: true, force: true });
  else {
    await rm(paths.stateFile, { force: true });
    await rename(nextOf(paths), paths.journal);
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch {
    return false;
  }
}
