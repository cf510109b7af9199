import type { Manifest, TreeFile } from './manifest.ts';

/** A path that differs between two trees. */
export type TreeChange =
  | { readonly path: string; readonly change: 'added'; readonly after: TreeFile }
  | { readonly path: string; readonly change: 'modified'; readonly before: TreeFile; readonly after: TreeFile }
  | { readonly path: string; readonly change: 'deleted'; readonly before: TreeFile };

/** The changes that turn tree `a` into tree `b`, ordered by path. */
export function diff(a: Manifest, b: Manifest): readonly TreeChange[] {
  const changes: TreeChange[] = [];
  for (const [path, before] of a) {
    const after = b.get(path);
    if (!after) changes.push({ path, change: 'deleted', before });
    else if (!sameFile(before, after)) changes.push({ path, change: 'modified', before, after });
  }
  for (const [path, after] of b) if (!a.has(path)) changes.push({ path, change: 'added', after });
  return changes.sort((x, y) => (x.path < y.path ? -1 : 1));
}

export function sameFile(a: TreeFile, b: TreeFile): boolean {
  return a.sha256 === b.sha256 && a.mode === b.mode && a.size === b.size;
}
