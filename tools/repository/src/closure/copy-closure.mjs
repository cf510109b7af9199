import { mkdirSync, symlinkSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { productionClosure } from './closure.mjs';
import { copyOwn, copyPackage } from './copy-package.mjs';

/**
 * Copies a package and its production closure, in the folders that they have in the repository. `node <to>/<folder>/dist/…`
 * then runs without the repository. Uses what is built and installed.
 *
 * @param {string} root the root of the repository, built
 * @param {string} folder a workspace package, such as `services/gateway`
 * @param {string} to a new folder
 */
export function copyClosure(root, folder, to) {
  const { packages, siblings } = productionClosure(root, folder);
  for (const at of [folder, ...siblings]) copyOwn(join(root, at), join(to, at));
  for (const at of packages) copyPackage(join(root, at), join(to, at));
  for (const at of siblings) {
    const link = join(to, 'node_modules', '@reins', basename(at));
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(relative(dirname(link), join(to, at)), link);
  }
}
