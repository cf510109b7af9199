import { rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { walk } from '../capture/walk.ts';
import { NO_LIMITS } from '../limits.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { errnoOf } from '../support/errno.ts';
import { IgnoreRules } from '../support/ignore-rules.ts';
import { foldersOf } from './folders.ts';

const STILL_NEEDED = new Set(['ENOTEMPTY', 'EEXIST']);

/** Removes what a capture of the folder would find beside the tree, then the folders that are left empty. */
export async function prune(root: string, manifest: Manifest, ignore: readonly string[]): Promise<readonly string[]> {
  const found = await walk(root, new IgnoreRules(ignore), NO_LIMITS);
  const refused = found.refused.flatMap(({ path }) => path ?? []);
  const removed = [...found.files.map(({ path }) => path), ...refused].filter((path) => !manifest.has(path)).sort();
  // Recursive for the one case of a folder whose very name is refused.
  for (const path of removed) await rm(join(root, path), { recursive: true, force: true });

  const needed = new Set(['', ...foldersOf(manifest)]);
  const spare = found.folders.map(({ path }) => path).filter((path) => !needed.has(path));
  // A longer path is never above a shorter one, so what lies deeper goes first.
  for (const path of spare.sort((a, b) => b.length - a.length)) await removeIfEmpty(join(root, path));
  return removed;
}

async function removeIfEmpty(folder: string): Promise<void> {
  try {
    await rmdir(folder);
  } catch (error) {
    if (!STILL_NEEDED.has(errnoOf(error) ?? '')) throw error;
  }
}
