import { mkdir, realpath, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { withFolder } from '../testing/folders.ts';
import { staysInside } from './links.ts';

describe('a link in a tree', () => {
  it.each([
    ['a', 'b'],
    ['a', './b/c'],
    ['a/b/c', '../../x'],
    ['a/b', '..'],
    ['a', '..b'],
  ])('at %s may refer to %s', (path, target) => expect(staysInside(path, target)).toBe(true));

  it.each([
    ['a', ''],
    ['a', '/a'],
    ['a', '..'],
    ['a/b', '../../x'],
    ['a', 'b/..'],
    ['a/b/c', '../x/../y'],
    ['a', 'b\\..\\..'],
  ])('at %s must not refer to %s', (path, target) => expect(staysInside(path, target)).toBe(false));

  it('never leaves the tree, not even through other links', async () => {
    const places = ['l0', 'd/l1', 'd/e/l2', 'd/e/l3', 'f/l4'] as const;
    const steps = fc.constantFrom('..', '.', 'd', 'e', 'f', 'l0', 'l1', 'l2', 'l3', 'l4');
    const targets = fc.array(steps, { minLength: 1, maxLength: 6 }).map((parts) => parts.join('/'));
    await fc.assert(
      fc.asyncProperty(fc.tuple(targets, targets, targets, targets, targets), (chosen) =>
        withFolder(async (outside) => {
          const root = join(await realpath(outside), 'x', 'root');
          await mkdir(join(root, 'd/e'), { recursive: true });
          await mkdir(join(root, 'f'));
          const links = places.filter((path, index) => staysInside(path, chosen[index] as string));
          for (const path of links) await symlink(chosen[places.indexOf(path)] as string, join(root, path));
          for (const path of links) {
            expect(dirname(join(root, path)).startsWith(root)).toBe(true);
            const reached = await realpath(join(root, path)).catch(() => root);
            expect(reached === root || reached.startsWith(`${root}/`)).toBe(true);
          }
        }),
      ),
      { numRuns: 80 },
    );
  });
});
