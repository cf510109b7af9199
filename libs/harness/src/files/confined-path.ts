import { realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

/** The path is outside the allowed folder, or cannot be used. */
export class PathRefused extends Error {}

/**
 * Resolves a path from the model to a real path inside `root`. Symbolic links are followed and must stay inside
 * `root`. A path that does not exist yet is checked by its nearest existing parent folder.
 * @throws PathRefused
 */
export async function confinedPath(root: string, path: string): Promise<string> {
  if (path.includes('\0')) throw new PathRefused('the path contains a NUL character');
  const realRoot = await realpath(root);
  // Models often use absolute paths. Those inside the folder are accepted.
  const requested = isAbsolute(path) ? path : resolve(realRoot, path);
  const real = await realOf(requested);
  const inner = relative(realRoot, real);
  if (inner === '..' || inner.startsWith(`..${sep}`) || isAbsolute(inner)) {
    throw new PathRefused(`${JSON.stringify(path)} is outside the working directory`);
  }
  return real;
}

async function realOf(path: string): Promise<string> {
  const rest: string[] = [];
  for (let existing = path; ; existing = dirname(existing)) {
    try {
      return join(await realpath(existing), ...rest);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'ENOENT' || existing === dirname(existing))
        throw new PathRefused(`the path cannot be used: ${code}`);
      rest.unshift(existing.slice(dirname(existing).length).replace(/^[/\\]+/, ''));
    }
  }
}
