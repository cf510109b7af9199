import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';

/** Every workspace package: its folder, its package.json, and its tsconfig.json if it is compiled. */
export function workspacePackages() {
  return ['libs', 'services', 'tools']
    .flatMap((group) => (existsSync(group) ? readdirSync(group).map((folder) => `${group}/${folder}`) : []))
    .filter((root) => existsSync(`${root}/package.json`))
    .sort()
    .map((root) => ({
      root,
      manifest: readJson(`${root}/package.json`),
      tsconfig: optionalJson(`${root}/tsconfig.json`),
    }));
}

/** The compiled siblings that a package declares. */
export function compiledSiblings(candidate, packages) {
  const { dependencies, devDependencies, optionalDependencies } = candidate.manifest;
  const declared = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });
  return packages.filter(({ manifest, tsconfig }) => tsconfig && declared.includes(manifest.name));
}

/** The `references` of the tsconfig.json in the folder `from`; the root is the empty string. */
export const referencesTo = (packages, from) => packages.map(({ root }) => ({ path: posix.relative(from, root) }));

/** Whether the package in `folder` has tests of the tier. */
export function hasTier(folder, tier) {
  if (!existsSync(`${folder}/jest.config.mjs`) || !existsSync(`${folder}/src`)) return false;
  return readdirSync(`${folder}/src`, { recursive: true }).some((file) => tier.files.test(String(file)));
}

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));
const optionalJson = (file) => (existsSync(file) ? readJson(file) : undefined);
