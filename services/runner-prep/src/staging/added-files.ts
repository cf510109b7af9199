import { manifestOf, type Tree, type TreeFile, treeIdOf } from '@reins/workspace-tree';

/** A file that a run finds in its tree although nobody wrote it there: an attachment, a skill of the installation. */
export interface AddedFile {
  readonly path: string;
  readonly file: TreeFile;
  readonly read: () => Promise<Uint8Array>;
}

/**
 * A tree with these files in it; the same object where they are there already. Equal files make equal trees, so that every stage of a
 * run after the first, and every repetition, finds them there.
 * @throws ReinsError `tree_limit_exceeded`, `tree_path_refused`
 */
export function addFiles(tree: Tree, files: readonly AddedFile[]): Tree {
  const missing = files.filter(({ path, file }) => tree.manifest.get(path)?.sha256 !== file.sha256);
  if (missing.length === 0) return tree;
  const laid = new Map(missing.map((file) => [file.path, file]));
  const manifest = manifestOf([
    ...new Map([...tree.manifest, ...missing.map(({ path, file }) => [path, file] as const)]),
  ]);
  return {
    treeId: treeIdOf(manifest),
    manifest,
    read: (path) => laid.get(path)?.read() ?? tree.read(path),
  };
}
