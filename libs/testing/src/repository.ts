import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder that holds package-lock.json: the checkout, where `.reins/` lies, from sources and from dist alike. */
export const repositoryRoot: string = climb(dirname(fileURLToPath(import.meta.url)));

function climb(folder: string): string {
  if (existsSync(join(folder, 'package-lock.json'))) return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error('not inside of a checkout');
  return climb(parent);
}
