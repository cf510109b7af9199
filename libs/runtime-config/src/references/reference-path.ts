import { posix } from 'node:path';
import { type Problem, ReinsError } from '@reins/contracts';

/**
 * The file that a reference of a workspace names, cleaned up: relative, without `.` and `..`. A path that is empty, absolute or
 * leads out of the workspace is refused; a name that merely begins with two dots is an ordinary name.
 */
export function referencePath(path: string): string {
  const clean = posix.normalize(path);
  const problem = problemOf(path, clean);
  if (problem !== undefined) throw new ReinsError(problem);
  return clean;
}

function problemOf(path: string, clean: string): Problem | undefined {
  const leadsOut = clean.split('/').includes('..');
  const isFolder = clean === '.' || clean.endsWith('/');
  if (path.trim() !== '' && !isFolder && !posix.isAbsolute(clean) && !leadsOut && !path.includes('\0')) {
    return undefined;
  }
  return {
    code: 'reference_path_invalid',
    message: `workspace reference path '${path}' is invalid`,
    path: path.trim() === '' ? 'applications' : path,
    hint: 'use a path relative to the workspace folder, such as apps/notes/app.runtime.yaml',
  };
}
