import { mkdir, realpath } from 'node:fs/promises';
import type { CaptureCache } from '../capture/cache.ts';
import { NO_LIMITS } from '../limits.ts';
import { manifestOf } from '../manifest/manifest.ts';
import { mapParallel } from '../support/parallel.ts';
import type { Tree } from '../tree.ts';
import { makeFolders } from './folders.ts';
import { placeFile } from './place-file.ts';
import { cacheOf } from './placed-file.ts';
import { prune } from './prune.ts';

export interface MaterialiseOptions {
  /** Remove what the folder holds beside the tree. What a capture would leave out (`.git`, ignored files) stays. */
  readonly prune?: boolean;
  /** Patterns in gitignore syntax that a later capture leaves out, and `prune` therefore too. */
  readonly ignore?: readonly string[];
  /** The cache of an earlier capture or materialisation of the same folder: files that are known to fit are not read. */
  readonly previous?: CaptureCache;
}

/** What a materialisation did, by path. */
export interface Materialised {
  readonly written: readonly string[];
  readonly removed: readonly string[];
  readonly unchanged: number;
  /** For the next capture of the folder. */
  readonly cache: CaptureCache;
}

const FILES_AT_ONCE = 16;

/**
 * Makes a folder hold a tree. Only what differs is written: each file beside its place first, then moved there, so that a
 * file is its old self or its new one. Nothing is written through a link, and what stands in the way of one of the tree's
 * paths is replaced; a folder that holds something is replaced under `prune` alone.
 *
 * Nobody else may write into the folder meanwhile.
 *
 * @throws ReinsError `tree_path_refused` | `tree_entry_refused`, and what reading the tree throws
 */
export async function materialise(tree: Tree, dir: string, options: MaterialiseOptions = {}): Promise<Materialised> {
  // A manifest may have been put together by anyone: its paths are checked before the first of them is touched.
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
