import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { repositoryRoot } from '@reins/testing';
import { visiblePaths } from './visible-paths.ts';

const root = await realpath(await mkdtemp(join(repositoryRoot, '.reins', 'test-visible-')));
afterAll(() => rm(root, { recursive: true }));
for (const folder of ['app/.reins', 'app/src', 'home/tool/.reins', 'home/tool/lib'])
  await mkdir(join(root, folder), { recursive: true });
await writeFile(join(root, 'app', 'settings.yaml'), 'secret');
await symlink(join(root, 'home'), join(root, 'app', 'to-hidden'));
await symlink('..', join(root, 'app', 'to-parent-of-hidden'));
await symlink('src', join(root, 'app', 'to-visible'));

const within = (paths: readonly string[]) =>
  paths
    .filter((path) => path.startsWith(`${root}/`))
    .map((path) => path.slice(root.length + 1))
    .sort();

const HIDDEN = ['app/.reins', 'app/settings.yaml', 'app/not-there-yet', 'home', 'home/tool/.reins'];
const hidden = HIDDEN.map((path) => join(root, path));

test('lists everything next to hidden folders, without links into them', () => {
  expect(within(visiblePaths(hidden, []))).toEqual(['app/src', 'app/to-visible']);
});

test('shows exceptions within hidden folders, without the hidden folders in them', () => {
  expect(within(visiblePaths(hidden, [join(root, 'home', 'tool')]))).toContain('home/tool/lib');
  expect(within(visiblePaths(hidden, [join(root, 'home', 'tool')]))).not.toContain('home/tool/.reins');
  expect(within(visiblePaths(hidden, [join(root, 'home'), join(root, 'nowhere')]))).toEqual([
    'app/src',
    'app/to-visible',
  ]);
});

test('never lists a folder that contains a hidden one', () => {
  const paths = visiblePaths(hidden, [root]);
  expect(hidden.filter((path) => paths.some((visible) => path === visible || path.startsWith(`${visible}/`)))).toEqual(
    [],
  );
  expect(paths).not.toContain('/');
});
