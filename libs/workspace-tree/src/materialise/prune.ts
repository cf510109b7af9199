import { rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { walk } from '../capture/walk.ts';
import { NO_LIMITS } from '../limits.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { errnoOf } from '../support/errno.ts';
import { IgnoreRules } from '../support/ignore-rules.ts';
import { foldersOf } from './folders.ts';

const NOT_EMPTY = new Set(['ENOTEMPTY', 'EEXIST']);

/** Removes all entries that a capture would find but the tree does not contain, and then the folders that are empty. */
export async function prune(root: string, manifest: Manifest, ignore: readonly string[]): Promise<readonly string[]> {
  const found = await walk(root, new IgnoreRules(ignore), NO_LIMITS);
  const refused = found.refused.flatMap(({ path }) => path ?? []);
  const removed = [...found.files.map(({ path }) => path), ...refused].filter((path) => !manifest.has(path)).sort();
  // Recursive, because the name of a folder itself may be refused.
  for (const path of removed) await rm(join(root, path), { recursive: true, force: true });

  const needed = new Set(['', ...foldersOf(manifest)]);
  const unneeded = found.folders.map(({ path }) => path).filter((path) => !needed.has(path));
  // Longer paths first, so that subfolders are removed before their parents.
  for (const path of unneeded.sort((a, b) => b.length - a.length)) await removeIfEmpty(join(root, path));
  return removed;
}

async function removeIfEmpty(folder: string): Promise<void> {
  try {
    await rmdir(folder);
  } catch (error) {
    if (!NOT_EMPTY.has(errnoOf(error) ?? '')) throw error;
  }
}
