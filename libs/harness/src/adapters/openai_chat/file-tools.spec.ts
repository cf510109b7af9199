import { readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@reins/contracts';
import { tempDir } from '@reins/testing';
import { FILE_TOOLS } from './file-tools.ts';

async function folder() {
  const workDir = await tempDir('tools');
  const use = (name: string, args: JsonObject): Promise<string> => {
    const tool = FILE_TOOLS.find((item) => item.name === name);
    return tool ? tool.run(workDir, args) : Promise.reject(new Error('no such tool'));
  };
  return { workDir, use };
}

describe('file tools', () => {
  test('write, read, edit and list files', async () => {
    const { use, workDir } = await folder();
    await use('write', { path: 'deep/a.txt', content: 'one two\n' });
    expect(await use('read', { path: 'deep/a.txt' })).toBe('one two\n');
    await use('edit', { path: 'deep/a.txt', oldText: 'two', newText: '$& three' });
    expect(await readFile(join(workDir, 'deep/a.txt'), 'utf8')).toBe('one $& three\n');
    expect(await use('list', {})).toBe('deep/');
    expect(await use('list', { path: 'deep' })).toBe('a.txt');
  });

  test('refuse an edit that does not match exactly once', async () => {
    const { use } = await folder();
    await use('write', { path: 'a', content: 'x x' });
    await expect(use('edit', { path: 'a', oldText: 'x', newText: 'y' })).rejects.toThrow('2 times');
    await expect(use('edit', { path: 'a', oldText: 'z', newText: 'y' })).rejects.toThrow('0 times');
    await expect(use('edit', { path: 'a', oldText: '', newText: 'y' })).rejects.toThrow('0 times');
  });

  test('do not follow a symbolic link, not even a dangling one', async () => {
    const { use, workDir } = await folder();
    const outside = join(await tempDir('outside'), 'made.txt');
    await symlink(outside, join(workDir, 'link'));
    await expect(use('write', { path: 'link', content: 'x' })).rejects.toThrow();
    await expect(readFile(outside)).rejects.toThrow('ENOENT');
  });

  test('report missing and invalid arguments', async () => {
    const { use } = await folder();
    await expect(use('read', {})).rejects.toThrow('path');
    await expect(use('write', { path: 'a', content: 7 })).rejects.toThrow('content');
  });
});
