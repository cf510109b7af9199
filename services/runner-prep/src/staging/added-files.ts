import { manifestOf, type Tree, type TreeFile, treeIdOf } from '@reins/workspace-tree';

/** A file that the preparation adds to the tree of a run: an attachment, or a file of the installation's skills. */
export interface AddedFile {
  readonly path: string;
  readonly file: TreeFile;
  readonly read: () => Promise<Uint8Array>;
}

/**
 * Returns a tree with these files added, or the same tree if they already exist. The result is deterministic, so later
 * stages and retries find the files in the tree.
 * @throws ReinsError `tree_limit_exceeded`, `tree_path_refused`
 */
export function addFiles(tree: Tree, files: readonly AddedFile[]): Tree {
  const missing = files.filter(({ path, file }) => tree.manifest.get(path)?.sha256 !== file.sha256);
  if (missing.length === 0) return tree;
  const added = new Map(missing.map((file) => [file.path, file]));
  const manifest = manifestOf([
    ...new Map([...tree.manifest, ...missing.map(({ path, file }) => [path, file] as const)]),
  ]);
  return {
    treeId: treeIdOf(manifest),
    manifest,
    read: (path) => added.get(path)?.read() ?? tree.read(path),
  };
}
