import { ReinsError } from '@reins/contracts';
import { NO_LIMITS } from '../limits.ts';
import { type Manifest, manifestText, parseManifest } from '../manifest/manifest.ts';
import { printablePath } from '../manifest/paths.ts';
import { isSha256, sha256Of } from '../support/hash.ts';
import type { BlobPort } from './blob-port.ts';
import { type Layout, layoutKey, parseLayout } from './pack.ts';

/** What the store keeps of a tree beside its contents. */
export interface StoredTree {
  readonly manifest: Manifest;
  readonly layout: Layout;
}

/**
 * How long a tree that was seen in the store is taken to be there. Far shorter than the grace that a sweep of unused blobs
 * gives, and long enough for the stages of a run, which open and put the same trees again and again.
 */
export const RECENT_MS = 60_000;

/** Files of all recent trees together. */
const MAX_RECENT_FILES = 200_000;

/** The manifests and layouts in a store, and those of them that were seen lately. */
export class StoredTrees {
  readonly #blobs: BlobPort;
  readonly #now: () => number;
  /** Oldest first. */
  readonly #recent = new Map<string, { readonly stored: StoredTree; readonly until: number }>();
  #recentFiles = 0;

  constructor(blobs: BlobPort, now: () => number) {
    this.#blobs = blobs;
    this.#now = now;
  }

  /** The tree, if it was seen in the store lately. */
  recent(treeId: string): StoredTree | undefined {
    const known = this.#recent.get(treeId);
    if (known && known.until > this.#now()) return known.stored;
    this.#forget(treeId);
    return undefined;
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

  /** Tells that the tree is in the store now. */
  markStored(treeId: string, stored: StoredTree): void {
    this.#forget(treeId);
    this.#recent.set(treeId, { stored, until: this.#now() + RECENT_MS });
    this.#recentFiles += stored.manifest.size;
    for (const oldest of this.#recent.keys()) {
      if (this.#recentFiles <= MAX_RECENT_FILES) break;
      this.#forget(oldest);
    }
  }

  #forget(treeId: string): void {
    this.#recentFiles -= this.#recent.get(treeId)?.stored.manifest.size ?? 0;
    this.#recent.delete(treeId);
  }

  async #manifest(treeId: string): Promise<Manifest> {
    const bytes = await this.#blobs.get(treeId);
    if (!bytes) throw notFound(treeId);
    const text = Buffer.from(bytes).toString('utf8');
    const manifest = sha256Of(bytes) === treeId ? parseManifest(text, NO_LIMITS) : undefined;
    // Another spelling of the same files would be another tree.
    if (manifest && manifestText(manifest) === text) return manifest;
    const message = `the manifest of the tree ${treeId} is not what it was`;
    throw new ReinsError({ code: 'tree_content_corrupt', message });
  }

  async #layout(treeId: string): Promise<Layout> {
    const bytes = await this.#blobs.get(layoutKey(treeId));
    return bytes ? parseLayout(Buffer.from(bytes).toString('utf8')) : new Map();
  }
}

function notFound(treeId: string): ReinsError {
  return new ReinsError({ code: 'tree_not_found', message: `no tree ${printablePath(treeId)} in the store` });
}
