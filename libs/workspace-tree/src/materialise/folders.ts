import { lstat, mkdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { isGone } from '../capture/read-file.ts';
import type { Manifest } from '../manifest/manifest.ts';

/** The folders of a tree, each before its subfolders. */
export function foldersOf(manifest: Manifest): readonly string[] {
  const folders = new Set<string>();
  for (const path of manifest.keys()) {
    for (let end = path.indexOf('/'); end >= 0; end = path.indexOf('/', end + 1)) folders.add(path.slice(0, end));
  }
  return [...folders];
}

/**
 * Creates the folders of a tree from the root down. Replaces a symlink or file that is in the place of a folder; never
 * follows a symlink.
 */
export async function makeFolders(root: string, manifest: Manifest): Promise<void> {
  for (const folder of foldersOf(manifest)) {
    const path = join(root, folder);
    const existing = await kindOf(path);
    if (existing === 'folder') continue;
    if (existing === 'other') await unlink(path);
    await mkdir(path);
  }
}

async function kindOf(path: string): Promise<'folder' | 'other' | 'nothing'> {
  try {
    return (await lstat(path)).isDirectory() ? 'folder' : 'other';
  } catch (error) {
    if (isGone(error)) return 'nothing';
    throw error;
  }
}
