import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join, relative, sep } from 'node:path';
import type { ModuleEntry } from './module-graph.ts';

/** What marks the folder that everything of a process lies in. */
const MARKS = ['package.json', 'workspace.yaml', '.git'];

/**
 * The module behind a path of this machine, in the folder that everything of it should lie in: the nearest one above that is a
 * package, a workspace or a repository; without any, the module's own. It is never the home directory or one above it, whatever lies there:
 * a process may read its folder, and keys and passwords lie at home.
 */
export async function locateModule(file: string, home = homedir()): Promise<ModuleEntry> {
  const folder = await realpath(dirname(file)).catch(() => dirname(file));
  const root = nearest(folder, await realpath(home).catch(() => home)) ?? folder;
  return { root, path: relative(root, join(folder, basename(file))) };
}

function nearest(folder: string, home: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (home === at || home.startsWith(`${at === sep ? '' : at}${sep}`)) return undefined;
    if (basename(at) === '.reins') return undefined; // What Reins keeps there belongs to no package.
    if (MARKS.some((mark) => existsSync(join(at, mark)))) return at;
    if (at === dirname(at)) return undefined;
  }
}
