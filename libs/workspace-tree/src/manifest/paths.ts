import type { Problem } from '@reins/contracts';

/** The name prefix of temporary files during materialisation. Such names are never part of a tree. */
export const STAGING_PREFIX = '.reins-staging-';

const MAX_NAME_BYTES = 255;

/**
 * Returns the problem of a single path, or undefined for a valid one. A path is relative, `/` separates its names, and
 * it means the same file on every system. Therefore `\`, a separator on some systems, and control characters are not
 * allowed.
 */
export function problemOfPath(path: string, maxPathBytes: number): Problem | undefined {
  const refuse = (message: string): Problem => ({ code: 'tree_path_refused', message, path: printablePath(path) });
  if (path === '') return refuse('the path is empty');
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
    const problem = nameProblem(name);
    if (problem !== undefined) return refuse(problem);
  }
  return undefined;
}

function nameProblem(name: string): string | undefined {
  if (name === '') return 'the path contains an empty name';
  if (name === '.' || name === '..') return `the path contains the name "${name}"`;
  if (name.includes('\\')) return 'the path contains a backslash';
  if (hasControl(name)) return 'the path contains a control character';
  if (Buffer.byteLength(name) > MAX_NAME_BYTES) return `a name in the path is longer than ${MAX_NAME_BYTES} bytes`;
  if (isReserved(name)) return `the name "${name}" is reserved and cannot be part of a tree`;
  return undefined;
}

/**
 * Names that a tree never contains, at any depth: the `.git` folder in any spelling that a file system treats as equal,
 * and temporary files.
 */
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

/** Characters that some file systems ignore when they compare names. */
const INVISIBLE = /[\u200c-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;

/** Two names with the same folded form are the same file on a file system that ignores case or normalises Unicode. */
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
 * Finds collisions between paths: duplicates, a file where another path needs a folder, and paths that differ only in
 * case or Unicode form. A tree must be the same tree on every file system.
 */
export function pathCollisions(paths: Iterable<string>): readonly Problem[] {
  const problems: Problem[] = [];
  const files = new Map<string, string>();
  const folders = new Map<string, string>();
  for (const path of paths) {
    const names = path.split('/');
    const collision = (other: string): void => {
      const message = other === path ? 'duplicate path' : `the path collides with ${printablePath(other)}`;
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

/** A path for a message: escaped and truncated. */
export function printablePath(path: string): string {
  return JSON.stringify(path.length > 200 ? `${path.slice(0, 200)}…` : path).slice(1, -1);
}
