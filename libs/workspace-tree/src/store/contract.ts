import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { treeFromEntries } from '../manifest/entries.ts';
import { sha256Of } from '../support/hash.ts';
import type { BlobPort } from './blob-port.ts';
import { TreeStore } from './tree-store.ts';

/** One thing that every blob port must do. `check` throws when it does not. */
export interface BlobPortCase {
  readonly name: string;
  /** `open` gives a port on the same storage every time within one case. */
  readonly check: (open: () => Promise<BlobPort>) => Promise<void>;
}

const blob = (size: number): { readonly key: string; readonly bytes: Uint8Array } => {
  const bytes = randomBytes(size);
  return { key: sha256Of(bytes), bytes };
};

/**
 * What every blob port must do, for any test runner:
 * `for (const { name, check } of BLOB_PORT_CONTRACT) it(name, () => check(open))`.
 */
export const BLOB_PORT_CONTRACT: readonly BlobPortCase[] = [
  {
    name: 'gives back what was put, byte for byte, also nothing and megabytes',
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
    name: 'has nothing under a key that nothing was put under',
    check: async (open) => {
      const port = await open();
      strictEqual(await port.get(sha256Of('nothing')), undefined);
      strictEqual(await port.get(`${sha256Of('nothing')}.layout`), undefined);
    },
  },
  {
    name: 'tells exactly those keys that are there, and takes none and many at once',
    check: async (open) => {
      const port = await open();
      const there = Array.from({ length: 50 }, () => blob(10));
      const away = Array.from({ length: 50 }, () => blob(10).key);
      await Promise.all(there.map(({ key, bytes }) => port.put(key, bytes)));
      const keys = there.map(({ key }) => key);
      deepStrictEqual([...(await port.has([...away, ...keys]))].sort(), [...keys].sort());
      strictEqual((await port.has([])).size, 0);
    },
  },
  {
    name: 'takes the same content twice, also at once',
    check: async (open) => {
      const port = await open();
      const { key, bytes } = blob(100_000);
      await Promise.all([port.put(key, bytes), port.put(key, bytes)]);
      await port.put(key, bytes);
      strictEqual(Buffer.compare((await port.get(key)) ?? Buffer.alloc(0), bytes), 0);
    },
  },
  {
    name: 'keeps a layout beside the content of the same hash, and replaces it',
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
    name: 'is not changed by what the caller does to its bytes later',
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
    name: 'shows through one port what was put through another',
    check: async (open) => {
      const { key, bytes } = blob(10);
      await (await open()).put(key, bytes);
      strictEqual((await (await open()).has([key])).has(key), true);
    },
  },
  {
    name: 'carries a tree store',
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
