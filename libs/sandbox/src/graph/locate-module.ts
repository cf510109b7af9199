import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import type { ModuleEntry } from './module-graph.ts';

/** What marks the folder that everything of a process lies in. */
const MARKS = ['package.json', 'workspace.yaml', '.git', '.a5c'];

/**
 * The module behind a path of this machine, in the folder that everything of it should lie in: the nearest one above that is a
 * package, a workspace or a repository; without any, the module's own.
 */
export async function locateModule(file: string): Promise<ModuleEntry> {
  const folder = await realpath(dirname(file)).catch(() => dirname(file));
  const root = nearest(folder) ?? folder;
  return { root, path: relative(root, join(folder, basename(file))) };
}

function nearest(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (MARKS.some((mark) => existsSync(join(at, mark)))) return at;
    if (at === dirname(at)) return undefined;
  }
}
