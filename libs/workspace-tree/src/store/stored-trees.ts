import { ReinsError } from '@reins/contracts';
import { LRUCache } from 'lru-cache';
import { NO_LIMITS } from '../limits.ts';
import { type Manifest, manifestText, parseManifest } from '../manifest/manifest.ts';
import { printablePath } from '../manifest/paths.ts';
import { isSha256, sha256Of } from '../support/hash.ts';
import type { BlobPort } from './blob-port.ts';
import { type Layout, layoutKey, parseLayout } from './pack.ts';

/** The metadata of a stored tree. */
export interface StoredTree {
  readonly manifest: Manifest;
  readonly layout: Layout;
}

/**
 * How long a tree that was seen in the store is assumed to exist. Much shorter than the grace period of the blob sweep,
 * but long enough for the stages of a run, which open and store the same trees repeatedly.
 */
export const RECENT_MS = 60_000;

/** The maximum number of files in all recent trees together. */
const MAX_RECENT_FILES = 200_000;

/** Loads the manifests and layouts of trees, and caches those that were seen recently. */
export class StoredTrees {
  readonly #blobs: BlobPort;
  readonly #recent: LRUCache<string, StoredTree>;

  constructor(blobs: BlobPort, now: () => number) {
    this.#blobs = blobs;
    this.#recent = new LRUCache({
      maxSize: MAX_RECENT_FILES,
      sizeCalculation: ({ manifest }) => manifest.size + 1,
      ttl: RECENT_MS,
      ttlResolution: 0,
      perf: { now },
    });
  }

  /** The tree, if it was seen in the store recently. */
  recent(treeId: string): StoredTree | undefined {
    return this.#recent.get(treeId);
  }

  /** @throws ReinsError `tree_not_found` | `tree_content_corrupt` */
  async load(treeId: string): Promise<StoredTree> {
    const known = this.recent(treeId);
    if (known) return known;
    if (!isSha256(treeId)) throw notFound(treeId);
    const [manifest, layout] = await Promise.all([this.#manifest(treeId), this.#layout(treeId)]);
    const stored = { manifest, layout };
    this.markStored(treeId, stored);
    return stored;
  }

  /** Records that the tree is in the store now. */
  markStored(treeId: string, stored: StoredTree): void {
    this.#recent.set(treeId, stored);
  }

  async #manifest(treeId: string): Promise<Manifest> {
    const bytes = await this.#blobs.get(treeId);
    if (!bytes) throw notFound(treeId);
    const text = Buffer.from(bytes).toString('utf8');
    const manifest = sha256Of(bytes) === treeId ? parseManifest(text, NO_LIMITS) : undefined;
    // Only the canonical text is valid, so that the same files have only one tree id.
    if (manifest && manifestText(manifest) === text) return manifest;
    const message = `the manifest of tree ${treeId} is corrupt`;
    throw new ReinsError({ code: 'tree_content_corrupt', message });
  }

  async #layout(treeId: string): Promise<Layout> {
    const bytes = await this.#blobs.get(layoutKey(treeId));
    return bytes ? parseLayout(Buffer.from(bytes).toString('utf8')) : new Map();
  }
}

function notFound(treeId: string): ReinsError {
  return new ReinsError({ code: 'tree_not_found', message: `tree ${printablePath(treeId)} is not in the store` });
}
