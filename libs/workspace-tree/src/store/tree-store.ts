import { mapParallel, problemOf, ReinsError } from '@reins/contracts';
import { LRUCache } from 'lru-cache';
import { type Manifest, manifestText, type TreeFile } from '../manifest/manifest.ts';
import { printablePath } from '../manifest/paths.ts';
import { sha256Of } from '../support/hash.ts';
import type { Tree } from '../tree.ts';
import type { BlobPort } from './blob-port.ts';
import { type Layout, layoutKey, layoutText, type Pack, Packer, type PackLocation, SMALL_BYTES } from './pack.ts';
import { PackReader } from './pack-reader.ts';
import { type StoredTree, StoredTrees } from './stored-trees.ts';

export interface PutOptions {
  /** Trees from which this one was derived. Contents that they share are not uploaded again. */
  readonly base?: readonly string[];
}

/** The result of storing a tree. */
export interface PutResult {
  readonly treeId: string;
  /** Uploaded contents, in packs or individually, and their bytes. */
  readonly uploadedFiles: number;
  readonly uploadedBytes: number;
  /** Contents that were already stored. */
  readonly knownFiles: number;
  readonly packs: number;
}

const BLOBS_AT_ONCE = 4;
const READS_AT_ONCE = 16;
const READ_BATCH = 256;
const MAX_KNOWN_LOCATIONS = 200_000;
const NO_BYTES = new Uint8Array();

/**
 * Stores trees in any `BlobPort`. A tree consists of its manifest under the tree id, its contents, and its layout.
 * Large contents are stored under their hash and small ones in packs; the layout locates contents in packs. The
 * manifest is written last, so a tree that exists is complete.
 */
export class TreeStore {
  readonly #blobs: BlobPort;
  readonly #trees: StoredTrees;
  readonly #packs: PackReader;
  /** Known locations of small contents in packs. Only a hint: the packs are checked for existence before use. */
  readonly #knownByHash = new LRUCache<string, PackLocation>({
    maxSize: MAX_KNOWN_LOCATIONS, // `max` would reserve the memory
    sizeCalculation: () => 1,
  });

  /** `now` is a monotonic clock in milliseconds. */
  constructor(blobs: BlobPort, now: () => number = () => performance.now()) {
    this.#blobs = blobs;
    this.#trees = new StoredTrees(blobs, now);
    this.#packs = new PackReader(blobs);
  }

  /** Whether the store has the complete tree. */
  async has(treeId: string): Promise<boolean> {
    return this.#trees.recent(treeId) !== undefined || this.#hasKey(treeId);
  }

  /** Stores a tree and uploads only missing contents. Idempotent. */
  async put(tree: Tree, options: PutOptions = {}): Promise<PutResult> {
    const contents = contentsOf(tree.manifest);
    if (await this.has(tree.treeId)) return resultOf(tree.treeId, contents, [], 0);

    const known = await this.#knownLocations(contents, options.base ?? []);
    const remaining = contents.filter(({ sha256 }) => !known.has(sha256));
    const small = remaining.filter(({ size }) => size <= SMALL_BYTES);
    const large = await this.#missing(remaining.filter(({ size }) => size > SMALL_BYTES));

    await mapParallel(large, BLOBS_AT_ONCE, async ({ sha256, path }) => this.#blobs.put(sha256, await tree.read(path)));
    const packs = await this.#putPacks(tree, small);
    const layout = new Map([...known, ...packs.flatMap(({ locations }) => [...locations])]);
    await this.#blobs.put(layoutKey(tree.treeId), Buffer.from(layoutText(layout)));
    await this.#blobs.put(tree.treeId, Buffer.from(manifestText(tree.manifest)));
    this.#remember(layout);
    this.#trees.markStored(tree.treeId, { manifest: tree.manifest, layout });
    return resultOf(tree.treeId, contents, [...large, ...small], packs.length);
  }

  /**
   * Opens a stored tree for reading or materialisation.
   * @throws ReinsError `tree_not_found` | `tree_content_corrupt`
   */
  async open(treeId: string): Promise<Tree> {
    const stored = await this.#trees.load(treeId);
    return { treeId, manifest: stored.manifest, read: (path) => this.#read(stored, path) };
  }

  /** All blob keys of a tree, which a sweep of unused blobs must keep. */
  async keysOf(treeId: string): Promise<ReadonlySet<string>> {
    const { manifest, layout } = await this.#trees.load(treeId);
    const contents = [...manifest.values()].map(({ sha256 }) => layout.get(sha256)?.pack ?? sha256);
    return new Set([treeId, layoutKey(treeId), ...contents]);
  }

  /** The pack locations of these contents that are known from the base trees or earlier puts, and still exist. */
  async #knownLocations(contents: readonly Content[], base: readonly string[]): Promise<Map<string, PackLocation>> {
    for (const treeId of base) this.#remember(await this.#layoutOf(treeId));
    const locations = contents.flatMap(({ sha256 }): [string, PackLocation][] => {
      const location = this.#knownByHash.get(sha256);
      return location ? [[sha256, location]] : [];
    });
    const present = await this.#blobs.has([...new Set(locations.map(([, { pack }]) => pack))]);
    return new Map(locations.filter(([, { pack }]) => present.has(pack)));
  }

  /** A base tree that no longer exists is ignored. */
  async #layoutOf(treeId: string): Promise<Layout> {
    try {
      return (await this.#trees.load(treeId)).layout;
    } catch (error) {
      if (problemOf(error).code === 'tree_not_found') return new Map();
      throw error;
    }
  }

  #remember(layout: Layout): void {
    for (const [sha256, location] of layout) this.#knownByHash.set(sha256, location);
  }

  async #hasKey(key: string): Promise<boolean> {
    return (await this.#blobs.has([key])).has(key);
  }

  async #missing(contents: readonly Content[]): Promise<readonly Content[]> {
    const present = await this.#blobs.has(contents.map(({ sha256 }) => sha256));
    return contents.filter(({ sha256 }) => !present.has(sha256));
  }

  /** Uploads small contents in packs, ordered by path, so that neighbouring files are in the same pack. */
  async #putPacks(tree: Tree, contents: readonly Content[]): Promise<readonly Pack[]> {
    const packer = new Packer();
    const packs: Pack[] = [];
    const upload = async (pack: Pack | undefined): Promise<void> => {
      if (!pack) return;
      // Another tree may have the same pack. An existing pack is not rewritten, because it may be read at the same
      // time.
      if (!(await this.#hasKey(pack.key))) await this.#blobs.put(pack.key, pack.bytes);
      // The bytes are uploaded; only the locations are still needed.
      packs.push({ ...pack, bytes: NO_BYTES });
    };
    for (let start = 0; start < contents.length; start += READ_BATCH) {
      const batch = contents.slice(start, start + READ_BATCH);
      const read = await mapParallel(batch, READS_AT_ONCE, ({ path }) => tree.read(path));
      const full = batch.flatMap(({ sha256 }, index) => packer.add(sha256, read[index] as Uint8Array) ?? []);
      await mapParallel(full, BLOBS_AT_ONCE, upload);
    }
    await upload(packer.close());
    return packs;
  }

  async #read({ manifest, layout }: StoredTree, path: string): Promise<Uint8Array> {
    const file = manifest.get(path);
    if (!file)
      throw new ReinsError({
        code: 'tree_not_found',
        message: 'the path is not in the tree',
        path: printablePath(path),
      });
    const location = layout.get(file.sha256);
    const bytes = await this.#content(file, location);
    if (bytes && matches(bytes, file)) return bytes;
    // The blob may have been rewritten by another process while it was fetched. A second wrong read is an error.
    if (location) this.#packs.forget(location.pack);
    const retried = await this.#content(file, location);
    if (retried && matches(retried, file)) return retried;
    throw new ReinsError({
      code: retried ? 'tree_content_corrupt' : 'tree_content_missing',
      message: `content ${file.sha256} is ${retried ? 'corrupt' : 'missing'} in the store`,
      path: printablePath(path),
    });
  }

  #content({ sha256 }: TreeFile, location: PackLocation | undefined): Promise<Uint8Array | undefined> {
    return location ? this.#packs.read(location) : this.#blobs.get(sha256);
  }
}

function matches(bytes: Uint8Array, { sha256, size }: TreeFile): boolean {
  return bytes.byteLength === size && sha256Of(bytes) === sha256;
}

/** A content of a tree, with one of its paths. */
interface Content {
  readonly sha256: string;
  readonly size: number;
  readonly path: string;
}

/** Each content once, ordered by path. */
function contentsOf(manifest: Manifest): readonly Content[] {
  const contents = new Map<string, Content>();
  for (const [path, { sha256, size }] of manifest) {
    if (!contents.has(sha256)) contents.set(sha256, { sha256, size, path });
  }
  return [...contents.values()];
}

function resultOf(
  treeId: string,
  contents: readonly Content[],
  uploaded: readonly Content[],
  packs: number,
): PutResult {
  return {
    treeId,
    uploadedFiles: uploaded.length,
    uploadedBytes: uploaded.reduce((sum, { size }) => sum + size, 0),
    knownFiles: contents.length - uploaded.length,
    packs,
  };
}
