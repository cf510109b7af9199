import { posix } from 'node:path';
import { mapParallel, ReinsError } from '@reins/contracts';
import type { Tree } from '../tree.ts';
import type { Manifest, TreeFile } from './manifest.ts';

/** A tree in which links are replaced by the files that they refer to. */
export interface FollowedTree extends Tree {
  /** The original path in the tree of a file of this view. */
  origin(path: string): string;
}

const READS_AT_ONCE = 16;
/** The maximum number of links in one resolution, as in Linux (path_resolution(7)). */
const MAX_HOPS = 40;
/** The maximum number of files and links that are visited, because links to folders with links can multiply. */
const MAX_STEPS = 50_000;

/**
 * Returns the same tree with links resolved. A link to a file becomes that file, and a link to a folder becomes the
 * contents of that folder. Dangling links, cycles, and links to a folder that contains them are omitted. The tree id
 * stays the same, and only link targets are read.
 *
 * @throws ReinsError `tree_limit_exceeded`, and what reading the tree throws
 */
export async function followLinks(tree: Tree): Promise<FollowedTree> {
  const links = [...tree.manifest].filter(([, { mode }]) => mode === 'link').map(([path]) => path);
  if (links.length === 0) return { ...tree, read: (path) => tree.read(path), origin: (path) => path };
  const targets = await mapParallel(links, READS_AT_ONCE, async (path) => {
    return [path, new TextDecoder().decode(await tree.read(path))] as const;
  });
  const resolver = new LinkResolver(tree.manifest, new Map(targets));
  for (const path of links) resolver.follow(path);
  return {
    treeId: tree.treeId,
    manifest: resolver.manifest(),
    read: (path) => tree.read(resolver.origin(path)),
    origin: (path) => resolver.origin(path),
  };
}

class LinkResolver {
  readonly #tree: Manifest;
  readonly #paths: readonly string[];
  readonly #targets: ReadonlyMap<string, string>;
  readonly #resolved = new Map<string, { readonly file: TreeFile; readonly origin: string }>();
  #steps = 0;

  constructor(tree: Manifest, targets: ReadonlyMap<string, string>) {
    this.#tree = tree;
    this.#paths = [...tree.keys()];
    this.#targets = targets;
  }

  origin(path: string): string {
    return this.#resolved.get(path)?.origin ?? path;
  }

  manifest(): Manifest {
    const plain = [...this.#tree].filter(([, { mode }]) => mode !== 'link');
    const found = [...this.#resolved].map(([path, { file }]) => [path, file] as const);
    return new Map([...plain, ...found].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /**
   * @param link the path of the link in the tree
   * @param path its path in the view
   * @param above the folders on the way, which are not entered again
   */
  follow(link: string, path = link, above: readonly string[] = [folderOf(link)]): void {
    this.#count();
    const origin = this.#resolve(link);
    if (origin === undefined) return;
    const file = this.#tree.get(origin);
    if (file !== undefined) this.#resolved.set(path, { file, origin });
    else if (!above.some((folder) => isWithin(folder, origin))) this.#enter(origin, path, [...above, origin]);
  }

  #enter(folder: string, path: string, above: readonly string[]): void {
    for (let i = this.#firstIn(folder); this.#paths[i]?.startsWith(`${folder}/`); i += 1) {
      const origin = this.#paths[i] as string;
      const viewPath = `${path}${origin.slice(folder.length)}`;
      const file = this.#tree.get(origin) as TreeFile;
      this.#count();
      if (file.mode === 'link') this.follow(origin, viewPath, [...above, folderOf(origin)]);
      else this.#resolved.set(viewPath, { file, origin });
    }
  }

  /** Every step counts, even one without a result, so that the work is bounded. */
  #count(): void {
    this.#steps += 1;
    if (this.#steps <= MAX_STEPS) return;
    throw new ReinsError({
      code: 'tree_limit_exceeded',
      message: `the links of the tree refer to more than ${MAX_STEPS} files`,
      hint: 'Avoid links to folders that contain links to other folders.',
    });
  }

  /** The final target of a path. Undefined for a cycle, and for a path below a file. */
  #resolve(path: string): string | undefined {
    const ahead = path.split('/');
    let walked = '';
    let hops = 0;
    for (let name = ahead.shift(); name !== undefined; name = ahead.shift()) {
      walked = posix.join(walked, name);
      const target = this.#targets.get(walked);
      if (target === undefined) {
        if (ahead.length > 0 && this.#tree.has(walked)) return undefined; // a file has no entries
        continue;
      }
      hops += 1;
      if (hops > MAX_HOPS) return undefined;
      walked = folderOf(walked);
      ahead.unshift(...target.split('/'));
    }
    return walked === '.' ? '' : walked;
  }

  /** The index of the first path in a folder. The paths are sorted. */
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

/** Whether a folder is this one or below it. Every folder is below the root. */
function isWithin(folder: string, outer: string): boolean {
  return outer === '' || folder === outer || folder.startsWith(`${outer}/`);
}

function folderOf(path: string): string {
  const folder = posix.dirname(path);
  return folder === '.' ? '' : folder;
}
