import type { CaptureCache } from '../capture/cache.ts';
import type { Tree } from '../tree.ts';

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

export declare function materialise(tree: Tree, dir: string, options?: MaterialiseOptions): Promise<Materialised>;
