import { mkdir, realpath, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { tempDir } from '@reins/testing';
import fc from 'fast-check';
import { confinedPath, PathRefused } from './confined-path.ts';

let root: string;
let outside: string;
beforeAll(async () => {
  const base = await realpath(await tempDir('confined'));
  root = join(base, 'work');
  outside = join(base, 'outside');
  await mkdir(join(root, 'inner'), { recursive: true });
  await mkdir(outside);
  await writeFile(join(outside, 'secret.txt'), 'secret');
  await symlink(outside, join(root, 'leak'));
  await symlink(join(outside, 'secret.txt'), join(root, 'leak.txt'));
  await symlink('../inner', join(root, 'inner', 'round'));
});

describe('confinedPath', () => {
  test.each([
    ['a.txt', 'a.txt'],
    ['./new/folder/a.txt', 'new/folder/a.txt'],
    ['inner/../b.txt', 'b.txt'],
    ['inner/round/c.txt', 'inner/c.txt'],
    ['.', ''],
  ])('accepts %s', async (path, inner) => {
    expect(await confinedPath(root, path)).toBe(join(root, inner));
  });

  test('accepts an absolute path inside the folder', async () => {
    expect(await confinedPath(root, join(root, 'a.txt'))).toBe(join(root, 'a.txt'));
  });

  test.each([
    '..',
    '../outside/secret.txt',
    '/etc/passwd',
    'leak/secret.txt',
    'leak/new.txt',
    'leak.txt',
    'inner/../../x',
    'a\0b',
  ])('refuses %j', async (path) => {
    await expect(confinedPath(root, path)).rejects.toBeInstanceOf(PathRefused);
  });

  test('returns only paths inside the folder for any input', async () => {
    const step = fc.constantFrom('..', '.', 'a', 'inner', 'round', 'leak', 'leak.txt', 'new', '');
    await fc.assert(
      fc.asyncProperty(fc.array(step), async (steps) => {
        const path = await confinedPath(root, steps.join('/') || '.').catch((error) => {
          if (error instanceof PathRefused) return root;
          throw error;
        });
        expect(path === root || path.startsWith(`${root}/`)).toBe(true);
      }),
    );
  });
});
