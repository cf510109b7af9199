import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { treeFromEntries } from '../manifest/entries.ts';
import { sha256Of } from '../support/hash.ts';
import type { BlobPort } from './blob-port.ts';
import { TreeStore } from './tree-store.ts';

/** One requirement of every blob port. `check` throws when it is not met. */
export interface BlobPortCase {
  readonly name: string;
  /** `open` returns ports on the same storage within one case. */
  readonly check: (open: () => Promise<BlobPort>) => Promise<void>;
}

const blob = (size: number): { readonly key: string; readonly bytes: Uint8Array } => {
  const bytes = randomBytes(size);
  return { key: sha256Of(bytes), bytes };
};

/**
 * The requirements of every blob port, for any test runner: `for (const { name, check } of BLOB_PORT_CONTRACT) it(name,
 * () => check(open))`.
 */
export const BLOB_PORT_CONTRACT: readonly BlobPortCase[] = [
  {
    name: 'returns the stored bytes, from empty to several megabytes',
    check: async (open) => {
      const port = await open();
      for (const size of [0, 1, 70_000, 3 * 1024 * 1024]) {
        const { key, bytes } = blob(size);
        await port.put(key, bytes);
        const got = await port.get(key);
        strictEqual(got && Buffer.compare(got, bytes), 0);
      }
    },
  },
  {
    name: 'returns nothing for an unknown key',
    check: async (open) => {
      const port = await open();
      strictEqual(await port.get(sha256Of('nothing')), undefined);
      strictEqual(await port.get(`${sha256Of('nothing')}.layout`), undefined);
    },
  },
  {
    name: 'returns exactly the existing keys, for no keys and for many',
    check: async (open) => {
      const port = await open();
      const existing = Array.from({ length: 50 }, () => blob(10));
      const absent = Array.from({ length: 50 }, () => blob(10).key);
      await Promise.all(existing.map(({ key, bytes }) => port.put(key, bytes)));
      const keys = existing.map(({ key }) => key);
      deepStrictEqual([...(await port.has([...absent, ...keys]))].sort(), [...keys].sort());
      strictEqual((await port.has([])).size, 0);
    },
  },
  {
    name: 'accepts the same content twice, also concurrently',
    check: async (open) => {
      const port = await open();
      const { key, bytes } = blob(100_000);
      await Promise.all([port.put(key, bytes), port.put(key, bytes)]);
      await port.put(key, bytes);
      strictEqual(Buffer.compare((await port.get(key)) ?? Buffer.alloc(0), bytes), 0);
    },
  },
  {
    name: 'stores a layout separately from the content of the same hash, and replaces it',
    check: async (open) => {
      const port = await open();
      const { key, bytes } = blob(10);
      await port.put(key, bytes);
      await port.put(`${key}.layout`, Buffer.from('one'));
      await port.put(`${key}.layout`, Buffer.from('two'));
      strictEqual(Buffer.from((await port.get(`${key}.layout`)) ?? []).toString(), 'two');
      strictEqual(Buffer.compare((await port.get(key)) ?? Buffer.alloc(0), bytes), 0);
    },
  },
  {
    name: 'is not affected by later changes to the bytes of the caller',
    check: async (open) => {
      const port = await open();
      const { key, bytes } = blob(10);
      const whole = Uint8Array.from(bytes);
      await port.put(key, bytes);
      bytes.fill(0);
      (await port.get(key))?.fill(0);
      strictEqual(Buffer.compare((await port.get(key)) ?? Buffer.alloc(0), whole), 0);
    },
  },
  {
    name: 'shows blobs that were stored through another port',
    check: async (open) => {
      const { key, bytes } = blob(10);
      await (await open()).put(key, bytes);
      strictEqual((await (await open()).has([key])).has(key), true);
    },
  },
  {
    name: 'works with a tree store',
    check: async (open) => {
      const text = 'small'.repeat(10);
      const large = randomBytes(200_000);
      const tree = treeFromEntries([
        { path: 'a.txt', content: text },
        { path: 'b/large', content: large.toString('base64'), encoding: 'base64', mode: '755' },
      ]);
      await new TreeStore(await open()).put(tree);
      const stored = await new TreeStore(await open()).open(tree.treeId);
      deepStrictEqual(stored.manifest, tree.manifest);
      strictEqual(Buffer.from(await stored.read('a.txt')).toString(), text);
      strictEqual(Buffer.compare(await stored.read('b/large'), large), 0);
    },
  },
];
