import { existsSync, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

/** The modules of a process, by path relative to the root. */
interface ProcessModules {
  readonly root: string;
  readonly modules: Readonly<Record<string, unknown>>;
}

/** Folders in which Reins and git keep their state, including credentials. */
const OWN_STATES = ['.reins', '.git'];

/** Whether a path within the folder of a process is in a folder of Reins or git. */
export function isOwnState(root: string, file: string): boolean {
  const names = relative(root, file).split(sep);
  return OWN_STATES.some((name) => names.includes(name));
}

/**
 * Returns a predicate for real paths: whether the file is in the folder of the process, and not in a folder of Reins or
 * git.
 */
export function filesOf(graph: ProcessModules): (file: string) => boolean {
  const hidden = hiddenFolders(graph);
  const { root } = graph;
  return (file) =>
    isWithin(root, file) &&
    !isOwnState(root, file) &&
    !hidden.some((folder) => isWithin(folder, file)) &&
    !isOfRun(root, file);
}

/** Whether a file belongs to a run directory in the folder of a process. Other runs are not part of a process. */
function isOfRun(root: string, file: string): boolean {
  for (let at = file; at !== root && isWithin(root, at); at = dirname(at)) if (isRunDirectory(at)) return true;
  return false;
}

const isRunDirectory = (folder: string): boolean =>
  existsSync(join(folder, 'run.json')) && existsSync(join(folder, 'journal'));

/** A folder of run directories, unless it also contains modules of the process. */
function runsIn(place: string, root: string, modules: readonly string[]): string[] {
  const folder = join(place, 'runs');
  if (modules.some((path) => isWithin(folder, join(root, path)))) return [];
  const names = lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(folder) : [];
  return names.some((name) => isRunDirectory(join(folder, name))) ? [folder] : [];
}

/** Whether a path is this folder or inside it. */
export const isWithin = (folder: string, file: string): boolean =>
  file === folder || file.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);

/**
 * The folders of Reins and git that the operating system hides from a process, whatever it imports: those next to its
 * modules and above them. Links are resolved.
 */
export function hiddenFolders({ root, modules }: ProcessModules): string[] {
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
    return undefined; // A broken link, or a target that this process may not read.
  }
}
