/** Why a workspace path is invalid, as a predicate ("is absolute"); undefined for a valid path. */
export function pathProblem(path: string): string | undefined {
  if (path.includes('\0')) return 'contains a null byte';
  if (path.startsWith('/')) return 'is absolute';
  let depth = 0;
  for (const part of path.split('/')) {
    if (part === '..') depth -= 1;
    else if (part !== '' && part !== '.') depth += 1;
    if (depth < 0) return 'points outside the workspace';
  }
  return undefined;
}

/** Like `pathProblem`, for a glob pattern: `**` may match zero folders. */
export function patternProblem(pattern: string): string | undefined {
  return pathProblem(pattern.replaceAll(/(?<=^|\/)\*\*(?=\/)/g, '.'));
}

/** The folder of a path, without a trailing slash; `.` for the root folder of the workspace. */
export function folderOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '.' : path.slice(0, slash).replace(/\/+$/, '');
}
