import { mkdir, realpath } from 'node:fs/promises';
import { mapParallel } from '@reins/contracts';
import type { CaptureCache } from '../capture/cache.ts';
import { NO_LIMITS } from '../limits.ts';
import { manifestOf } from '../manifest/manifest.ts';
import type { Tree } from '../tree.ts';
import { makeFolders } from './folders.ts';
import { placeFile } from './place-file.ts';
import { cacheOf } from './placed-file.ts';
import { prune } from './prune.ts';

export interface MaterialiseOptions {
  /** Remove everything in the folder that is not in the tree, except ignored files and `.git`. */
  readonly prune?: boolean;
  /** Patterns in gitignore syntax that a later capture skips. `prune` keeps matching files. */
  readonly ignore?: readonly string[];
  /**
   * The cache of an earlier capture or materialisation of the same folder. Files that it shows to be up to date are not
   * read.
   */
  readonly previous?: CaptureCache;
}

/** The changes of a materialisation, by path. */
export interface Materialised {
  readonly written: readonly string[];
  readonly removed: readonly string[];
  readonly unchanged: number;
  /** The cache for the next capture of the folder. */
  readonly cache: CaptureCache;
}

const FILES_AT_ONCE = 16;

/**
 * Makes a folder contain the files of a tree. Only files that differ are written. Each is written to a temporary file
 * and then renamed, so that it is always complete. Nothing is written through a link. An entry that blocks a path of
 * the tree is replaced, but a non-empty folder only with `prune`.
 *
 * No other process may write to the folder at the same time.
 *
 * @throws ReinsError `tree_path_refused` | `tree_entry_refused`, and what reading the tree throws
 */
export async function materialise(tree: Tree, dir: string, options: MaterialiseOptions = {}): Promise<Materialised> {
  // The manifest may be untrusted: all paths are checked before any file is changed.
  const manifest = manifestOf(tree.manifest, NO_LIMITS);
  await mkdir(dir, { recursive: true });
  const root = await realpath(dir);
  await makeFolders(root, manifest);
  const place = { root, tree, force: options.prune === true, previous: options.previous };
  const placed = await mapParallel([...manifest], FILES_AT_ONCE, ([path, file]) => placeFile(place, path, file));
  const removed = options.prune ? await prune(root, manifest, options.ignore ?? []) : [];
  const written = placed.filter((file) => file.written).map(({ path }) => path);
  return { written, removed, unchanged: placed.length - written.length, cache: await cacheOf(root, placed) };
}
