import { randomUUID } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { lstat, open, rename, rm, rmdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ReinsError } from '@reins/contracts';
import { type CaptureCache, cachedFile } from '../capture/cache.ts';
import { fingerprintOf } from '../capture/fingerprint.ts';
import { isGone, readExactly } from '../capture/read-file.ts';
import { staysInside } from '../manifest/links.ts';
import type { FileMode, TreeFile } from '../manifest/manifest.ts';
import { printablePath, STAGING_PREFIX } from '../manifest/paths.ts';
import { sha256Of } from '../support/hash.ts';
import type { Tree } from '../tree.ts';
import type { PlacedFile } from './placed-file.ts';

/** The folder to write to, and the options. */
export interface PlacementTarget {
  readonly root: string;
  readonly tree: Tree;
  /** Whether a non-empty folder is replaced by a file. */
  readonly force: boolean;
  readonly previous: CaptureCache | undefined;
}

const MODES: Readonly<Record<Exclude<FileMode, 'link'>, number>> = { '644': 0o644, '755': 0o755 };

/** Writes one file of the tree, unless it is already up to date. */
export async function placeFile(place: PlacementTarget, path: string, file: TreeFile): Promise<PlacedFile> {
  const target = join(place.root, path);
  const existing = await statsOf(target);
  if (existing && (await isUpToDate(place, path, file, existing))) {
    return { path, sha256: file.sha256, written: false, stats: existing };
  }
  const bytes = await place.tree.read(path);
  // In the same folder, because renames between folders are serialised by the file system.
  const stagingPath = join(dirname(target), `${STAGING_PREFIX}${randomUUID()}`);
  try {
    if (file.mode === 'link') await writeLink(stagingPath, path, bytes);
    else await writeFile(stagingPath, bytes, MODES[file.mode]);
    if (existing?.isDirectory()) await removeFolder(target, path, place.force);
    await rename(stagingPath, target);
  } catch (error) {
    await rm(stagingPath, { force: true });
    throw error;
  }
  return { path, sha256: file.sha256, written: true, stats: await lstat(target, { bigint: true }) };
}

async function statsOf(target: string): Promise<BigIntStats | undefined> {
  try {
    return await lstat(target, { bigint: true });
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}

async function isUpToDate(
  place: PlacementTarget,
  path: string,
  file: TreeFile,
  existing: BigIntStats,
): Promise<boolean> {
  if (!existing.isFile() && !existing.isSymbolicLink()) return false;
  const mode = existing.isSymbolicLink() ? 'link' : existing.mode & 0o100n ? '755' : '644';
  if (mode !== file.mode || Number(existing.size) !== file.size) return false;
  const cached = cachedFile(place.previous, path, fingerprintOf(existing));
  if (cached) return cached.sha256 === file.sha256;
  const read = await readExactly(join(place.root, path), existing);
  if (!read || sha256Of(read.bytes) !== file.sha256) return false;
  return mode !== 'link' || staysInside(path, Buffer.from(read.bytes).toString('utf8'));
}

async function writeFile(path: string, bytes: Uint8Array, mode: number): Promise<void> {
  const handle = await open(path, 'wx', mode);
  try {
    await handle.writeFile(bytes);
    // The mode above was reduced by the umask.
    await handle.chmod(mode);
  } finally {
    await handle.close();
  }
}

async function writeLink(stagingPath: string, path: string, bytes: Uint8Array): Promise<void> {
  const target = Buffer.from(bytes).toString('utf8');
  if (!staysInside(path, target)) {
    const message = 'the symlink target is outside the tree, or cannot be proven to be inside it';
    throw new ReinsError({ code: 'tree_entry_refused', message, path: printablePath(path) });
  }
  await symlink(target, stagingPath);
}

async function removeFolder(target: string, path: string, force: boolean): Promise<void> {
  if (force) return rm(target, { recursive: true });
  try {
    await rmdir(target);
  } catch (error) {
    const message = 'a folder that is not empty blocks a file of the tree';
    throw new ReinsError(
      { code: 'tree_path_refused', message, path: printablePath(path), hint: 'Empty the folder first.' },
      { cause: error },
    );
  }
}
