import { expect, test } from '@jest/globals';
import { tempDir } from '@reins/testing';
import { readRunFile, writeRunFile } from './run-file.ts';

test('concurrent writes succeed and leave one complete file', async () => {
  const dir = await tempDir('run-file');
  const contents = Array.from({ length: 30 }, (_, index) => ({ pid: index, owners: [index] }));
  await Promise.all(contents.map((content) => writeRunFile(dir, content)));
  expect(contents).toContainEqual(await readRunFile(dir));
});
