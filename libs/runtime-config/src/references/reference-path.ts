import { posix } from 'node:path';
import { type Problem, ReinsError } from '@reins/contracts';

/**
 * Normalises the path of a workspace reference. A name that merely starts with two dots is allowed.
 * @throws ReinsError `reference_path_invalid` for an empty or absolute path, or one that points outside the workspace
 */
export function referencePath(path: string): string {
  const clean = posix.normalize(path);
  const problem = problemOf(path, clean);
  if (problem !== undefined) throw new ReinsError(problem);
  return clean;
}

function problemOf(path: string, clean: string): Problem | undefined {
  const leavesWorkspace = clean.split('/').includes('..');
  const isFolder = clean === '.' || clean.endsWith('/');
  if (path.trim() !== '' && !isFolder && !posix.isAbsolute(clean) && !leavesWorkspace && !path.includes('\0')) {
    return undefined;
  }
  return {
    code: 'reference_path_invalid',
    message: `workspace reference path '${path}' is invalid`,
    path: path.trim() === '' ? 'applications' : path,
    hint: 'Use a path relative to the workspace folder, such as apps/notes/app.runtime.yaml.',
  };
}
