import { existsSync, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import type { ModuleGraph } from './module-graph.ts';

/** Where Reins and git keep what they know, credentials among that. */
const OWN_STATES = ['.reins', '.git'];

/** Whether a path within the folder of a process is, or leads into, a folder of Reins or git. */
export function isOwnState(root: string, file: string): boolean {
  const names = relative(root, file).split(sep);
  return OWN_STATES.some((name) => names.includes(name));
}

/** Whether a real path belongs to the process: it is in its folder, and in none of Reins or git. */
export function filesOf(graph: Pick<ModuleGraph, 'root' | 'modules'>): (file: string) => boolean {
  const hidden = hiddenFolders(graph);
  const { root } = graph;
  return (file) =>
    isWithin(root, file) &&
    !isOwnState(root, file) &&
    !hidden.some((folder) => isWithin(folder, file)) &&
    !isOfRun(root, file);
}

/** Whether a file belongs to a run directory in the folder of a process. Other runs are no part of a process. */
function isOfRun(root: string, file: string): boolean {
  for (let at = file; at !== root && isWithin(root, at); at = dirname(at)) if (isRunDirectory(at)) return true;
  return false;
}

const isRunDirectory = (folder: string): boolean =>
  existsSync(join(folder, 'run.json')) && existsSync(join(folder, 'journal'));

/** A folder of run directories, unless it has modules of the process as well. */
function runsIn(place: string, root: string, modules: readonly string[]): string[] {
  const folder = join(place, 'runs');
  if (modules.some((path) => isWithin(folder, join(root, path)))) return [];
  const names = lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(folder) : [];
  return names.some((name) => isRunDirectory(join(folder, name))) ? [folder] : [];
}

/** Whether a path is this folder, or in it. */
export const isWithin = (folder: string, file: string): boolean =>
  file === folder || file.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);

/**
 * The folders of Reins and git that the operating system hides from a process, whatever it imports: those next to its modules and above them.
 * A link stands for what it leads to.
 */
export function hiddenFolders({ root, modules }: Pick<ModuleGraph, 'root' | 'modules'>): string[] {
  const places = new Set([root]);
  for (const path of Object.keys(modules))
    for (let at = dirname(path); at !== '.'; at = dirname(at)) places.add(join(root, at));
  const found = [...places]
    .flatMap((place) => OWN_STATES.map((name) => join(place, name)))
    .flatMap((folder) => realFolder(folder) ?? []);
  const runs = [...places].flatMap((place) => runsIn(place, root, Object.keys(modules)));
  return [...new Set([...found, ...runs])].filter((folder) => folder !== root && isWithin(root, folder));
}

function realFolder(path: string): string | undefined {
  if (!lstatSync(path, { throwIfNoEntry: false })) return undefined;
  try {
    const real = realpathSync(path);
    return statSync(real).isDirectory() ? real : undefined;
  } catch {
    return undefined; // A link to nothing, or to what this process may not see: nothing is read there.
  }
}
