import type { Problem } from '@reins/contracts';
import type { Capture, FollowedTree } from '@reins/workspace-tree';

/**
 * Of the files that a plan depends on, those that stand in the folder and cannot be read as part of the workspace, and why: what is no
 * part of a tree, a link that leads to nothing, a folder where a file belongs. `seen` is what was captured, its links followed.
 */
export function refusedFiles(asked: Iterable<string>, captured: Capture, seen: FollowedTree): readonly Problem[] {
  const missing = [...asked].filter((file) => !seen.manifest.has(file));
  const onTheWay = new Set(missing.flatMap(waysTo));
  const folders = new Set([...seen.manifest.keys()].flatMap((path) => waysTo(path).slice(0, -1)));
  const leftOut = captured.leftOut.filter(({ path }) => path !== undefined && onTheWay.has(path));
  const misplaced = missing.filter((file) => folders.has(file));
  const idle = [...onTheWay].filter((path) => {
    return captured.manifest.get(path)?.mode === 'link' && !seen.manifest.has(path) && !folders.has(path);
  });
  return [
    ...leftOut,
    ...misplaced.map((path) => refused(path, 'a folder stands where a file belongs', 'move it, or name another file')),
    ...idle.map((path) => refused(path, 'the link leads to nothing that is in the workspace', 'mend its target')),
  ];
}

/** The folders that a file lies in, outermost first, and the file itself. */
function waysTo(file: string): readonly string[] {
  const names = file.split('/');
  return names.map((_, i) => names.slice(0, i + 1).join('/'));
}

function refused(path: string, message: string, hint: string): Problem {
  return { code: 'tree_entry_refused', message, path, hint };
}
