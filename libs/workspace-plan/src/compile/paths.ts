/** Why a path of the workspace cannot be used; undefined when it can. */
export function pathProblem(path: string): string | undefined {
  if (path.includes('\0')) return 'holds a null byte';
  if (path.startsWith('/')) return 'is absolute';
  let depth = 0;
  for (const part of path.split('/')) {
    if (part === '..') depth -= 1;
    else if (part !== '' && part !== '.') depth += 1;
    if (depth < 0) return 'leads out of the workspace';
  }
  return undefined;
}

/** The same for a pattern, in which `**` may stand for no folder at all. */
export function patternProblem(pattern: string): string | undefined {
  return pathProblem(pattern.replaceAll(/(?<=^|\/)\*\*(?=\/)/g, '.'));
}

/** The folder of a path, without a slash at its end; `.` for the workspace itself. */
export function folderOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '.' : path.slice(0, slash).replace(/\/+$/, '');
}
