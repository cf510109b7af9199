import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { ModuleGraph } from './module-graph.ts';

/** Where Reins keeps what it knows, credentials among that. */
const OWN_STATE = '.reins';

/** Folders of a process that it must not see: those of Reins, unless its own modules are in there. */
export function hiddenFolders({ root, modules }: Pick<ModuleGraph, 'root' | 'modules'>): string[] {
  const folder = join(root, OWN_STATE);
  const isOwn = Object.keys(modules).some((path) => path.startsWith(`${OWN_STATE}/`));
  return !isOwn && existsSync(folder) && statSync(folder).isDirectory() ? [folder] : [];
}
