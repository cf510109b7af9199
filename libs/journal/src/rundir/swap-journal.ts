import { access, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createFile, makeDirectories, syncDirectory } from './files.ts';
import type { RunPaths } from './layout.ts';

/** A journal that is complete before it has this name, and that takes the place of the old one. */
const nextOf = (paths: RunPaths): string => join(paths.root, 'journal.next');
const buildOf = (paths: RunPaths): string => join(paths.root, 'journal.building');

/**
 * Puts these files in place of the journal and keeps the old one beside it. A crash at any point leaves the old journal or the
 * new one, never neither: what was left half way is finished, or thrown away, by whoever opens the run next.
 * @param label tells what the kept one is: `journal.<label>`
 * @returns where the old journal is now
 */
export async function swapJournal(
  paths: RunPaths,
  files: readonly { readonly name: string; readonly text: string }[],
  label: string,
): Promise<string> {
  const building = buildOf(paths);
  await rm(building, { recursive: true, force: true });
  await makeDirectories([building]);
  for (const { name, text } of files) createFile(join(building, name), text, building);
  syncDirectory(building);
  await rename(building, nextOf(paths));
  const kept = join(paths.root, `journal.${label}`);
  await rename(paths.journal, kept);
  await rename(nextOf(paths), paths.journal);
  syncDirectory(paths.root);
  return kept;
}

/** Finishes what a crash interrupted. */
export async function recoverSwap(paths: RunPaths): Promise<void> {
  if (!(await exists(nextOf(paths)))) return;
  if (await exists(paths.journal)) await rm(nextOf(paths), { recursive: true, force: true });
  else await rename(nextOf(paths), paths.journal);
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch {
    return false;
  }
}
