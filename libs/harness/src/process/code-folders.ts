import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const OWN_PACKAGE = dirname(fileURLToPath(import.meta.resolve('../../package.json')));

/** The folders with the code that an executor needs: Node.js with its tools, this package and what it imports. */
export function codeFolders(): string[] {
  const node = realpathSync(process.execPath);
  const modules = ancestorsOf(OWN_PACKAGE)
    .map((folder) => join(folder, 'node_modules'))
    .filter((folder) => existsSync(folder));
  return [node, dirname(dirname(node)), OWN_PACKAGE, ...modules, ...modules.flatMap(linkedPackages)];
}

/** The packages of this repository: links in `node_modules`. */
function linkedPackages(modules: string): string[] {
  const scope = join(modules, '@reins');
  return existsSync(scope) ? readdirSync(scope).map((name) => join(scope, name)) : [];
}

/**
 * Finds an executable as `spawn` does.
 * @returns its absolute path, and the folders and files that it consists of; undefined if it does not exist
 */
export function findExecutable(
  command: string,
  cwd: string,
  path: string,
): { readonly file: string; readonly parts: readonly string[] } | undefined {
  const candidates = command.includes('/')
    ? [resolve(cwd, command)]
    : path.split(delimiter).map((folder) => join(folder, command));
  const file = candidates.find((candidate) => candidate.startsWith('/') && existsSync(candidate));
  if (file === undefined) return undefined;
  const real = realpathSync(file);
  const modules = real.indexOf('/node_modules/');
  return { file, parts: modules < 0 ? [file, real] : [file, real.slice(0, modules + '/node_modules'.length)] };
}

function ancestorsOf(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...ancestorsOf(parent)];
}
