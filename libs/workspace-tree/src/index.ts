/**
 * A tree is a content-addressed set of files. This package captures folders as trees, stores trees without uploading anything
 * twice, materialises them in folders, and compares them.
 */
export type { CaptureCache } from './capture/cache.ts';
export { type Capture, type CaptureOptions, capture } from './capture/capture.ts';
export type { TreeLimits } from './limits.ts';
export { diff, type TreeChange } from './manifest/diff.ts';
export { type EntriesOptions, entriesOf, type TreeEntry, treeFromEntries } from './manifest/entries.ts';
export { type FollowedTree, followLinks } from './manifest/follow-links.ts';
export {
  EMPTY_MANIFEST,
  type FileMode,
  type Manifest,
  manifestOf,
  manifestText,
  parseManifest,
  type TreeFile,
  treeIdOf,
} from './manifest/manifest.ts';
export { type Materialised, type MaterialiseOptions, materialise } from './materialise/materialise.ts';
export type { BlobPort } from './store/blob-port.ts';
export { DirectoryBlobs } from './store/directory-blobs.ts';
export { MemoryBlobs } from './store/memory-blobs.ts';
export { type PutOptions, type PutResult, TreeStore } from './store/tree-store.ts';
export { IGNORE_FILE } from './support/ignore-rules.ts';
export type { Tree } from './tree.ts';
