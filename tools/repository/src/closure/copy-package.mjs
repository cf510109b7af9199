import { cpSync, existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';

/**
 * What a package of this repository needs at run time. `native` holds the source of a helper of the sandbox, and `locks`
 * the packages of runtimes that Reins installs.
 */
const RUNTIME_ENTRIES = ['package.json', 'bin', 'dist', 'locks', 'native', 'README.md'];
/** Types and maps are for developers. */
const FOR_DEVELOPERS = /\.(d\.[cm]?ts|map|tsbuildinfo)$|\.spec\.js$/;

/** Copies what a built package of this repository needs at run time. */
export function copyOwn(from, to) {
  for (const entry of RUNTIME_ENTRIES) if (existsSync(join(from, entry))) copy(join(from, entry), join(to, entry));
}

/** Copies a package without the packages nested in it, which are packages of the closure themselves. */
export function copyPackage(from, to) {
  for (const entry of readdirSync(from)) if (entry !== 'node_modules') copy(join(from, entry), join(to, entry));
}

/** Copies a file or a folder, and what its symbolic links point to: npm leaves links out of a tarball. */
export const copy = (from, to) =>
  cpSync(from, to, { recursive: true, dereference: true, filter: (source) => !FOR_DEVELOPERS.test(basename(source)) });
