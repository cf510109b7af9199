import { lstatSync, readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';

/** The sandbox has its own. */
const OWN = ['/proc', '/dev'];

/**
 * Lists the largest folders and files that together are the whole file system without the hidden folders. Landlock can
 * only allow paths, so both backends get what is visible instead of what is hidden. A link into a hidden folder is
 * omitted.
 * @param hidden absolute paths. They need not exist
 * @param shown folders and files that stay visible within hidden folders, without the hidden folders within them
 */
export function visiblePaths(hidden: readonly string[], shown: readonly string[]): string[] {
  const concealed = [...OWN, ...hidden].flatMap((path) => [path, ...realPathOf(path)]);
  const exceptions = shown.flatMap(realPathOf).filter((path) => !concealed.includes(path));
  return [...new Set([...visibleIn('/', concealed), ...exceptions.flatMap((path) => exposed(path, concealed))])];
}

/** What is visible of a path that may be hidden as a whole. */
const exposed = (path: string, concealed: readonly string[]): string[] =>
  visibleIn(
    path,
    concealed.filter((folder) => isWithin(folder, path)),
  );

function visibleIn(path: string, concealed: readonly string[]): string[] {
  if (isConcealed(path, concealed)) return [];
  if (!contains(path, concealed)) return [path];
  return entriesOf(path).flatMap((entry) =>
    isLink(entry) ? visibleLink(entry, concealed) : visibleIn(entry, concealed),
  );
}

/** A link is visible only if its target is visible as a whole: the sandbox mounts the target as well. */
function visibleLink(path: string, concealed: readonly string[]): string[] {
  const [target] = realPathOf(path);
  return target !== undefined && !isConcealed(target, concealed) && !contains(target, concealed) ? [path] : [];
}

const isConcealed = (path: string, concealed: readonly string[]): boolean =>
  concealed.some((folder) => path === folder || isWithin(path, folder));

const contains = (path: string, concealed: readonly string[]): boolean =>
  concealed.some((folder) => isWithin(folder, path));

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    return []; // This user may not list it, so its children may not either.
  }
}

const isLink = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;

function realPathOf(path: string): string[] {
  try {
    return [realpathSync(path)];
  } catch {
    return [];
  }
}

const isWithin = (path: string, folder: string): boolean => path.startsWith(folder === '/' ? '/' : `${folder}/`);
