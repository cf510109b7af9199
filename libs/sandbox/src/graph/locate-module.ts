import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join, relative, sep } from 'node:path';
import type { ModuleEntry } from './module-graph.ts';

/** Files and folders that mark the root of a process. */
const MARKS = ['package.json', 'workspace.yaml', '.git'];

/**
 * The module at a path of this machine, and the root of its process: the nearest folder above that is a package, a
 * workspace or a repository. Without one, the root is the module's own folder. It is never the home directory or a
 * folder above it, because a process may read its root, and home directories contain keys and passwords.
 */
export async function locateModule(file: string, home = homedir()): Promise<ModuleEntry> {
  const folder = await realpath(dirname(file)).catch(() => dirname(file));
  const root = nearest(folder, await realpath(home).catch(() => home)) ?? folder;
  return { root, path: relative(root, join(folder, basename(file))) };
}

function nearest(folder: string, home: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (home === at || home.startsWith(`${at === sep ? '' : at}${sep}`)) return undefined;
    if (basename(at) === '.reins') return undefined; // The state of Reins belongs to no package.
    if (MARKS.some((mark) => existsSync(join(at, mark)))) return at;
    if (at === dirname(at)) return undefined;
  }
}
