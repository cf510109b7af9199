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

/** Where files are placed, and how. */
export interface Place {
  readonly root: string;
  readonly tree: Tree;
  /** Whether a folder that holds something gives way to a file. */
  readonly force: boolean;
  readonly previous: CaptureCache | undefined;
}

const MODES: Readonly<Record<Exclude<FileMode, 'link'>, number>> = { '644': 0o644, '755': 0o755 };

/** Puts one file of the tree into its place, unless it is there already. */
export async function placeFile(place: Place, path: string, file: TreeFile): Promise<PlacedFile> {
  const target = join(place.root, path);
  const standing = await statsOf(target);
  if (standing && (await fits(place, path, file, standing))) {
    return { path, sha256: file.sha256, written: false, stats: standing };
  }
  const bytes = await place.tree.read(path);
  // In the same folder: moving a file between folders makes all such moves of the file system wait for each other.
  const beside = join(dirname(target), `${STAGING_PREFIX}${randomUUID()}`);
  try {
    if (file.mode === 'link') await writeLink(beside, path, bytes);
    else await writeFile(beside, bytes, MODES[file.mode]);
    if (standing?.isDirectory()) await removeFolder(target, path, place.force);
    await rename(beside, target);
  } catch (error) {
    await rm(beside, { force: true });
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

async function fits(place: Place, path: string, file: TreeFile, standing: BigIntStats): Promise<boolean> {
  if (!standing.isFile() && !standing.isSymbolicLink()) return false;
  const mode = standing.isSymbolicLink() ? 'link' : standing.mode & 0o100n ? '755' : '644';
  if (mode !== file.mode || Number(standing.size) !== file.size) return false;
  const cached = cachedFile(place.previous, path, fingerprintOf(standing));
  if (cached) return cached.sha256 === file.sha256;
  const read = await readExactly(join(place.root, path), standing);
  if (!read || sha256Of(read.bytes) !== file.sha256) return false;
  return mode !== 'link' || staysInside(path, Buffer.from(read.bytes).toString('utf8'));
}

async function writeFile(path: string, bytes: Uint8Array, mode: number): Promise<void> {
  const handle = await open(path, 'wx', mode);
  try {
    await handle.writeFile(bytes);
    // The mode above went through the process's mask.
    await handle.chmod(mode);
  } finally {
    await handle.close();
  }
}

async function writeLink(beside: string, path: string, bytes: Uint8Array): Promise<void> {
  const target = Buffer.from(bytes).toString('utf8');
  if (!staysInside(path, target)) {
    const message = 'the link leads out of the tree, or may do so';
    throw new ReinsError({ code: 'tree_entry_refused', message, path: printablePath(path) });
  }
  await symlink(target, beside);
}

async function removeFolder(target: string, path: string, force: boolean): Promise<void> {
  if (force) return rm(target, { recursive: true });
  try {
    await rmdir(target);
  } catch (error) {
    const message = 'a folder that is not empty stands where the tree has a file';
    throw new ReinsError(
      { code: 'tree_path_refused', message, path: printablePath(path), hint: 'empty the folder first' },
      { cause: error },
    );
  }
}
