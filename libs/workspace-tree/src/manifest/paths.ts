import type { Problem } from '@reins/contracts';

/** How the files are named that a materialisation has on their way; never part of a tree. */
export const STAGING_PREFIX = '.reins-staging-';

const MAX_NAME_BYTES = 255;

/**
 * What is wrong with a path on its own; undefined when nothing is. A path is relative, `/` separates its names, and it
 * means the same file on every system: so no `\`, which is a separator elsewhere, and no control characters.
 */
export function problemOfPath(path: string, maxPathBytes: number): Problem | undefined {
  const refuse = (message: string): Problem => ({ code: 'tree_path_refused', message, path: printablePath(path) });
  if (path === '') return refuse('a path is empty');
  if (!path.isWellFormed()) return refuse('the path is not valid Unicode');
  if (Buffer.byteLength(path) > maxPathBytes) {
    return {
      code: 'tree_limit_exceeded',
      message: `the path is longer than ${maxPathBytes} bytes`,
      path: printablePath(path),
    };
  }
  if (path.startsWith('/')) return refuse('the path is absolute');
  for (const name of path.split('/')) {
    const wrong = wrongName(name);
    if (wrong !== undefined) return refuse(wrong);
  }
  return undefined;
}

function wrongName(name: string): string | undefined {
  if (name === '') return 'the path has an empty name in it';
  if (name === '.' || name === '..') return `the path has the name "${name}" in it`;
  if (name.includes('\\')) return 'the path has a backslash in it';
  if (hasControl(name)) return 'the path has a control character in it';
  if (Buffer.byteLength(name) > MAX_NAME_BYTES) return `a name in the path is longer than ${MAX_NAME_BYTES} bytes`;
  if (isReserved(name)) return `the name "${name}" is reserved and never part of a tree`;
  return undefined;
}

/** Names that a tree never holds, at any depth: Git's own folder, however a file system may spell it, and our files on their way. */
export function isReserved(name: string): boolean {
  const folded = foldName(name);
  return folded === '.git' || folded === 'git~1' || folded.startsWith(STAGING_PREFIX);
}

function hasControl(name: string): boolean {
  for (let index = 0; index < name.length; index += 1) {
    const code = name.charCodeAt(index);
    if (code < 0x20 || code === 0x7f) return true;
  }
  return false;
}

/** Characters that some file systems leave out when they compare names. */
const INVISIBLE = /[\u200c-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;

/** Two names that fold to the same are one file on a file system that ignores case or normalises Unicode. */
function foldName(name: string): string {
  return (
    name
      .replace(INVISIBLE, '')
      .normalize('NFC')
      .toLowerCase()
      .replace(/[. ]+$/, '') || name
  );
}

/**
 * What is wrong with paths beside each other: one that stands twice, a file where another path needs a folder, or two
 * that differ in case or Unicode form alone. A tree has to be the same tree on every file system.
 */
export function pathCollisions(paths: Iterable<string>): readonly Problem[] {
  const problems: Problem[] = [];
  const files = new Map<string, string>();
  const folders = new Map<string, string>();
  for (const path of paths) {
    const names = path.split('/');
    const collision = (other: string): void => {
      const message = other === path ? 'the path stands twice' : `the path collides with ${printablePath(other)}`;
      problems.push({ code: 'tree_path_refused', message, path: printablePath(path) });
    };
    const folded = names.map(foldName);
    let collided = false;
    for (let depth = 1; depth < names.length && !collided; depth += 1) {
      const key = folded.slice(0, depth).join('/');
      const folder = names.slice(0, depth).join('/');
      const other = files.get(key) ?? differing(folders.get(key), folder);
      if (other !== undefined) {
        collision(other);
        collided = true;
      } else folders.set(key, folder);
    }
    if (collided) continue;
    const key = folded.join('/');
    const other = files.get(key) ?? folders.get(key);
    if (other !== undefined) collision(other);
    else files.set(key, path);
  }
  return problems;
}

function differing(seen: string | undefined, folder: string): string | undefined {
  return seen === folder ? undefined : seen;
}

/** A path as a message may show it: whole, printable and not endless. */
export function printablePath(path: string): string {
  return JSON.stringify(path.length > 200 ? `${path.slice(0, 200)}…` : path).slice(1, -1);
}
