import type { Manifest } from './manifest/manifest.ts';

/** A tree with readable contents, which may be in a folder, in memory or in a store. */
export interface Tree {
  /** SHA-256 (hex) of the canonical manifest. */
  readonly treeId: string;
  readonly manifest: Manifest;
  /**
   * The content of a file, checked against its hash.
   * @throws ReinsError `tree_changed` | `tree_content_missing` | `tree_content_corrupt`
   */
  read(path: string): Promise<Uint8Array>;
}
