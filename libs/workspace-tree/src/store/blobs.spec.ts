import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { sha256Of } from '../support/hash.ts';
import { codesOf } from '../testing/arbitraries.ts';
import { BLOB_PORT_CONTRACT } from './contract.ts';
import { DirectoryBlobs } from './directory-blobs.ts';
import { MemoryBlobs } from './memory-blobs.ts';

describe('blobs in memory', () => {
  for (const { name, check } of BLOB_PORT_CONTRACT) {
    it(name, async () => {
      const port = new MemoryBlobs();
      await check(async () => port);
    });
  }
});

describe('blobs in a folder', () => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'reins-blobs-'));
  });
  afterEach(async () => {
    await rm(root, { recursive: true, force: true });
  });

  for (const { name, check } of BLOB_PORT_CONTRACT) {
    it(name, () => check(async () => new DirectoryBlobs(root)));
  }

  it('are complete files named by their keys, without temporary files', async () => {
    const key = sha256Of('bytes');
    await new DirectoryBlobs(root).put(key, Buffer.from('bytes'));
    expect(await readdir(join(root, key.slice(0, 2)))).toEqual([key]);
    expect(await readFile(join(root, key.slice(0, 2), key), 'utf8')).toBe('bytes');
  });

  it('rejects a key that is a path', async () => {
    const port = new DirectoryBlobs(root);
    for (const key of ['../x', '/etc/passwd', `${sha256Of('x')}/../../x`, '']) {
      expect(await codesOf(() => port.get(key))).toEqual(['tree_content_missing']);
      expect(await codesOf(() => port.put(key, new Uint8Array()))).toEqual(['tree_content_missing']);
    }
  });
});
