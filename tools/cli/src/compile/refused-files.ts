import type { Problem } from '@reins/contracts';
import type { Capture, FollowedTree } from '@reins/workspace-tree';

/**
 * Returns a problem for every dependency of the plan that exists in the folder but cannot be read: an entry that a tree cannot hold, a
 * broken link, or a folder in place of a file. `followed` is the captured tree with its links resolved.
 */
export function refusedFiles(
  dependencies: Iterable<string>,
  captured: Capture,
  followed: FollowedTree,
): readonly Problem[] {
  const missing = [...dependencies].filter((file) => !followed.manifest.has(file));
  const pathsToMissing = new Set(missing.flatMap(prefixesOf));
  const folders = new Set([...followed.manifest.keys()].flatMap((path) => prefixesOf(path).slice(0, -1)));
  const leftOut = captured.leftOut.filter(({ path }) => path !== undefined && pathsToMissing.has(path));
  const misplaced = missing.filter((file) => folders.has(file));
  const brokenLinks = [...pathsToMissing].filter((path) => {
    return captured.manifest.get(path)?.mode === 'link' && !followed.manifest.has(path) && !folders.has(path);
  });
  return [
    ...leftOut,
    ...misplaced.map((path) =>
      refused(path, 'the path is a folder, not a file', 'Move the folder, or name another file.'),
    ),
    ...brokenLinks.map((path) => refused(path, 'the link target is not in the workspace', 'Fix the link target.')),
  ];
}

/** The ancestors of a file, outermost first, and the file itself. */
function prefixesOf(file: string): readonly string[] {
  const names = file.split('/');
  return names.map((_, i) => names.slice(0, i + 1).join('/'));
}

function refused(path: string, message: string, hint: string): Problem {
  return { code: 'tree_entry_refused', message, path, hint };
}
