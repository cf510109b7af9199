import { lstatSync, readdirSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { type Problem, ReinsError } from '@reins/contracts';
import type { RunPaths } from './layout.ts';

/**
 * Checks that the files and folders of a run are in its directory. A link in their place could lead to any other file:
 * run directories also come from archives and from other people.
 * @throws ReinsError `journal_corrupt`
 */
export function assertNoLinks(paths: RunPaths): void {
  const { run, inputs, journal, tasks, state, blobs, process, orphaned } = paths;
  const tops = [run, inputs, journal, tasks, state, blobs, process, orphaned, join(process, 'sha256')];
  const linked = [...tops, ...namesIn(tasks).map((name) => join(tasks, name))].find(isLink);
  const within = linked === undefined ? namesIn(tasks).flatMap((name) => linkInBlobs(join(tasks, name, 'blobs'))) : [];
  const [first = linked] = within;
  if (first !== undefined) throw new ReinsError(linkProblem(paths, first));
}

/** Files of tasks are written in place. Other files are replaced, and a link with them. */
function linkInBlobs(folder: string): string[] {
  if (isLink(folder)) return [folder];
  return linksIn(folder).slice(0, 1);
}

/** The symbolic links among the files and folders that Reins writes, except for those in the journal. */
export function linkProblems(paths: RunPaths): Problem[] {
  const { run, inputs, lock, tasks, state, blobs, process, orphaned } = paths;
  const tops = [run, inputs, lock, paths.journal, tasks, state, blobs, process, orphaned].filter(isLink);
  const within = [tasks, state, blobs, process].filter((folder) => !isLink(folder)).flatMap(linksIn);
  return [...tops, ...within].map((path) => linkProblem(paths, path));
}

const isLink = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;

function linksIn(folder: string): string[] {
  try {
    const found = readdirSync(folder, { recursive: true, withFileTypes: true });
    return found.filter((one) => one.isSymbolicLink()).map(({ parentPath, name }) => join(parentPath, name));
  } catch {
    return [];
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function linkProblem({ root }: RunPaths, path: string): Problem {
  const name = relative(root, path);
  return {
    code: 'journal_corrupt',
    message: `${name}: it is a symbolic link`,
    path: name,
    hint: `Replace it with its target if that belongs to the run, or remove it: ${basename(path)} must be in the run directory.`,
  };
}
