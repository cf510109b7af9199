import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * OpenSSL aborts a program that may not read this file, and ignores that it is missing. Each host of a distribution has
 * the same file, so that it reveals nothing.
 */
const SETTINGS = ['/etc/ssl/openssl.cnf'];

let found: readonly string[] | undefined;

/**
 * The folders and files that a program needs to start, and that contain no user data: shared libraries, the program
 * loader and the settings of OpenSSL. The libraries are those that this process itself has mapped.
 */
export function systemLibraries(): readonly string[] {
  found ??= findLibraries();
  return found;
}

function findLibraries(): string[] {
  const maps = readFileSync('/proc/self/maps', 'utf8');
  const mapped = [...maps.matchAll(/\s(\/\S+\.so(?:\.[\d.]+)?)$/gm)].map(([, path]) => dirname(path as string));
  const folders = new Set(mapped.filter((path) => /^(\/usr)?\/lib/.test(path)));
  // Programs name their loader and the libraries by paths that are links on most systems.
  for (const folder of [...folders]) folders.add(folder.startsWith('/usr/') ? folder.slice(4) : `/usr${folder}`);
  return [...folders, ...loaders(), ...SETTINGS].filter((path) => existsSync(path)).sort();
}

function loaders(): string[] {
  const named = ['/lib64', '/lib'].flatMap((folder) =>
    existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [],
  );
  return named.filter((path) => /\/ld-(linux|musl)[^/]*\.so(\.\d+)?$/.test(path));
}
