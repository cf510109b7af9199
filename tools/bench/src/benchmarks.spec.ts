import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { BENCHMARKS } from './benchmarks.ts';

const ROOT = join(import.meta.dirname, '../../..');

test('every listed benchmark exists and has a unique name', () => {
  expect(BENCHMARKS.filter(({ module }) => !existsSync(join(ROOT, module)))).toEqual([]);
  expect(BENCHMARKS.filter(({ peers }) => peers !== undefined && !existsSync(join(ROOT, peers)))).toEqual([]);
  expect(new Set(BENCHMARKS.map(({ name }) => name)).size).toBe(BENCHMARKS.length);
});

test('every package with benchmarks is listed', () => {
  const folders = globSync('{libs,services,tools}/*/bench', { cwd: ROOT });
  const listed = BENCHMARKS.map(({ module }) => module.split('/').slice(0, 3).join('/'));
  expect(folders.length).toBeGreaterThan(0);
  expect(folders.filter((folder) => !listed.includes(folder))).toEqual([]);
});
