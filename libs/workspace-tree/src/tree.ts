import type { Manifest } from './manifest/manifest.ts';

/** A tree whose contents can be read, wherever they lie: in a folder, in memory, in a store. */
export interface Tree {
  /** SHA-256 (hex) of the canonical manifest. */
  readonly treeId: string;
  readonly manifest: Manifest;
  /**
   * The content of one of its files, checked against its hash.
   * @throws ReinsError `tree_changed` | `tree_content_missing` | `tree_content_corrupt`
   */
  read(path: string): Promise<Uint8Array>;
}
