import { realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

/** A path that the model gave leads out of the folder that it may use. */
export class PathRefused extends Error {}

/**
 * The real path behind a path of the model, inside of `root` for sure: symbolic links on the way are followed and must stay inside
 * too. What does not exist yet is judged by the nearest folder that does.
 * @throws PathRefused
 */
export async function confinedPath(root: string, path: string): Promise<string> {
  if (path.includes('\0')) throw new PathRefused('the path holds a NUL character');
  const realRoot = await realpath(root);
  // Models like absolute paths: one that leads into the folder means just that.
  const wanted = isAbsolute(path) ? path : resolve(realRoot, path);
  const real = await realOf(wanted);
  const inner = relative(realRoot, real);
  if (inner === '..' || inner.startsWith(`..${sep}`) || isAbsolute(inner)) {
    throw new PathRefused(`${JSON.stringify(path)} leads out of the working folder`);
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
