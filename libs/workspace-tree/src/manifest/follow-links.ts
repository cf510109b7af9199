import { posix } from 'node:path';
import { ReinsError } from '@reins/contracts';
import { mapParallel } from '../support/parallel.ts';
import type { Tree } from '../tree.ts';
import type { Manifest, TreeFile } from './manifest.ts';

/** A tree as a reader of its files sees it, who is led on by links. */
export interface FollowedTree extends Tree {
  /** The path under which a file of this view lies in the tree itself. */
  origin(path: string): string;
}

const READS_AT_ONCE = 16;
/** So many links one after the other are followed; Linux has the same bound (path_resolution(7)). */
const MAX_HOPS = 40;
/** Folders that lead to folders multiply: so many files and links are met on the way at most. */
const MAX_STEPS = 50_000;

/**
 * The same tree, with every link as what it leads to: a file as that file, a folder as all that lies in it. What is behind a link
 * that leads to nothing, in a circle or back to a folder that it lies in, is not there. The id is that of the tree itself, and nothing but targets is read.
 *
 * @throws ReinsError `tree_limit_exceeded`, and what reading the tree throws
 */
export async function followLinks(tree: Tree): Promise<FollowedTree> {
  const links = [...tree.manifest].filter(([, { mode }]) => mode === 'link').map(([path]) => path);
  if (links.length === 0) return { ...tree, read: (path) => tree.read(path), origin: (path) => path };
  const targets = await mapParallel(links, READS_AT_ONCE, async (path) => {
    return [path, new TextDecoder().decode(await tree.read(path))] as const;
  });
  const view = new View(tree.manifest, new Map(targets));
  for (const path of links) view.follow(path);
  return {
    treeId: tree.treeId,
    manifest: view.manifest(),
    read: (path) => tree.read(view.origin(path)),
    origin: (path) => view.origin(path),
  };
}

class View {
  readonly #tree: Manifest;
  readonly #paths: readonly string[];
  readonly #targets: ReadonlyMap<string, string>;
  readonly #found = new Map<string, { readonly file: TreeFile; readonly origin: string }>();
  #steps = 0;

  constructor(tree: Manifest, targets: ReadonlyMap<string, string>) {
    this.#tree = tree;
    this.#paths = [...tree.keys()];
    this.#targets = targets;
  }

  origin(path: string): string {
    return this.#found.get(path)?.origin ?? path;
  }

  manifest(): Manifest {
    const plain = [...this.#tree].filter(([, { mode }]) => mode !== 'link');
    const found = [...this.#found].map(([path, { file }]) => [path, file] as const);
    return new Map([...plain, ...found].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /**
   * @param link where the link lies in the tree
   * @param path where it appears in the view
   * @param above the folders that lead here: none of them is entered again
   */
  follow(link: string, path = link, above: readonly string[] = [folderOf(link)]): void {
    this.#count();
    const origin = this.#resolve(link);
    if (origin === undefined) return;
    const file = this.#tree.get(origin);
    if (file !== undefined) this.#found.set(path, { file, origin });
    else if (!above.some((folder) => isWithin(folder, origin))) this.#enter(origin, path, [...above, origin]);
  }

  #enter(folder: string, path: string, above: readonly string[]): void {
    for (let i = this.#firstIn(folder); this.#paths[i]?.startsWith(`${folder}/`); i += 1) {
      const origin = this.#paths[i] as string;
      const seenAs = `${path}${origin.slice(folder.length)}`;
      const file = this.#tree.get(origin) as TreeFile;
      this.#count();
      if (file.mode === 'link') this.follow(origin, seenAs, [...above, folderOf(origin)]);
      else this.#found.set(seenAs, { file, origin });
    }
  }

  /** Every step counts, also one that finds nothing: the work has a bound, not only its result. */
  #count(): void {
    this.#steps += 1;
    if (this.#steps <= MAX_STEPS) return;
    throw new ReinsError({
      code: 'tree_limit_exceeded',
      message: `the links of the tree lead to more than ${MAX_STEPS} files`,
      hint: 'let no link lead to a folder in which links lead to further folders',
    });
  }

  /** Where a path of the tree leads in the end; undefined in a circle, and behind a file. */
  #resolve(path: string): string | undefined {
    const ahead = path.split('/');
    let walked = '';
    let hops = 0;
    for (let name = ahead.shift(); name !== undefined; name = ahead.shift()) {
      walked = posix.join(walked, name);
      const target = this.#targets.get(walked);
      if (target === undefined) {
        if (ahead.length > 0 && this.#tree.has(walked)) return undefined; // nothing lies in a file
        continue;
      }
      hops += 1;
      if (hops > MAX_HOPS) return undefined;
      walked = folderOf(walked);
      ahead.unshift(...target.split('/'));
    }
    return walked === '.' ? '' : walked;
  }

  /** The index of the first path in a folder; the paths are ordered. */
  #firstIn(folder: string): number {
    const prefix = `${folder}/`;
    let low = 0;
    let high = this.#paths.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#paths[middle] as string) < prefix) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Whether a folder is this one, or lies in it; everything lies in the root. */
function isWithin(folder: string, outer: string): boolean {
  return outer === '' || folder === outer || folder.startsWith(`${outer}/`);
}

function folderOf(path: string): string {
  const folder = posix.dirname(path);
  return folder === '.' ? '' : folder;
}
