import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The production closure of a workspace package: every package that an installation without development dependencies has, and
 * its bytes on disk. Reads package-lock.json, so the resolution is the one of npm. Optional packages of other platforms count
 * only if they are installed.
 *
 * @param {string} root the root of the repository
 * @param {string} folder a workspace package, such as `services/gateway`
 * @returns {{ packages: string[], siblings: string[], bytes: number }}
 */
export function productionClosure(root, folder) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const seen = new Set();
  const pending = [folder];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    if (seen.has(at)) continue;
    seen.add(at);
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = packages[at];
    const peers = Object.keys(peerDependencies ?? {}).filter((name) => !peerDependenciesMeta?.[name]?.optional);
    const optional = new Set(Object.keys(optionalDependencies ?? {}));
    const required = [...Object.keys(dependencies ?? {}), ...peers].filter((name) => !optional.has(name));
    for (const name of [...required, ...optional]) {
      const found = resolve(packages, at, name);
      if (found !== undefined && existsOnDisk(root, found)) pending.push(found);
      else if (!optional.has(name)) throw new Error(`${at} needs ${name}, which is not installed`);
    }
  }
  seen.delete(folder);
  const external = [...seen].filter((at) => at.includes('node_modules/')).sort();
  const siblings = [...seen].filter((at) => !at.includes('node_modules/')).sort();
  return { packages: external, siblings, bytes: external.reduce((sum, at) => sum + bytesOf(join(root, at)), 0) };
}

/** Finds a package as Node does: next to the importer, then in every folder above it. */
function resolve(packages, from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const candidate = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    const entry = packages[candidate];
    if (entry) return entry.link ? entry.resolved : candidate;
    if (folder === '') return undefined;
  }
}

function existsOnDisk(root, at) {
  return statSync(join(root, at), { throwIfNoEntry: false }) !== undefined;
}

/** Bytes of a package without the packages nested in it, which count on their own. */
function bytesOf(folder) {
  let bytes = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name === 'node_modules') continue;
    const path = join(folder, entry.name);
    bytes += entry.isDirectory() ? bytesOf(path) : entry.isFile() ? statSync(path).size : 0;
  }
  return bytes;
}
