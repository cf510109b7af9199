import { mkdir, realpath, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { tempDir } from '@reins/testing';
import { locateModule } from './locate-module.ts';

let base: string;
beforeAll(async () => {
  base = await realpath(await tempDir('locate'));
  await mkdir(join(base, 'home', 'work', 'package', 'src'), { recursive: true });
  await mkdir(join(base, 'home', 'work', 'package', '.reins', 'kept'), { recursive: true });
  await mkdir(join(base, 'home', '.a5c'));
  await mkdir(join(base, '.git'));
  for (const folder of ['home', 'home/work/package']) await writeFile(join(base, folder, 'package.json'), '{}');
});
afterAll(() => rm(base, { recursive: true }));

const located = async (file: string) => locateModule(join(base, file), join(base, 'home'));

test('the root of a process is the package, workspace or repository around it', async () => {
  expect(await located('home/work/package/src/main.ts')).toEqual({
    root: join(base, 'home/work/package'),
    path: 'src/main.ts',
  });
});

test('the home directory and folders above it are never the root of a process', async () => {
  expect(await located('home/work/main.ts')).toEqual({ root: join(base, 'home/work'), path: 'main.ts' });
});

test('a folder of Reins does not belong to a package', async () => {
  expect(await located('home/work/package/.reins/kept/main.ts')).toEqual({
    root: join(base, 'home/work/package/.reins/kept'),
    path: 'main.ts',
  });
});
