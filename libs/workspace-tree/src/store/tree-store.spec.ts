import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type TreeEntry, treeFromEntries } from '../manifest/entries.ts';
import { manifestText } from '../manifest/manifest.ts';
import { sha256Of } from '../support/hash.ts';
import { codesOf, entryLists } from '../testing/arbitraries.ts';
import { MemoryBlobs } from './memory-blobs.ts';
import { RECENT_MS } from './stored-trees.ts';
import { TreeStore } from './tree-store.ts';

/** A port that records the stored blobs, and lets a test corrupt or remove them. */
class WatchedBlobs extends MemoryBlobs {
  readonly puts: { readonly key: string; readonly size: number }[] = [];
  readonly gone = new Set<string>();

  override async put(key: string, bytes: Uint8Array): Promise<void> {
    this.puts.push({ key, size: bytes.byteLength });
    await super.put(key, bytes);
  }
  override async has(keys: readonly string[]): Promise<ReadonlySet<string>> {
    return super.has(keys.filter((key) => !this.gone.has(key)));
  }
  override async get(key: string): Promise<Uint8Array | undefined> {
    return this.gone.has(key) ? undefined : super.get(key);
  }
  /** The size of the blobs stored since the last call, without manifests and layouts. */
  contentBytes(treeIds: readonly string[]): number {
    const own = new Set(treeIds.flatMap((id) => [id, `${id}.layout`]));
    const sum = this.puts.filter(({ key }) => !own.has(key)).reduce((total, { size }) => total + size, 0);
    this.puts.length = 0;
    return sum;
  }
}

const binary = (path: string, size: number): TreeEntry => ({
  path,
  content: randomBytes(size).toString('base64'),
  encoding: 'base64',
});

describe('a tree store', () => {
  it('returns every stored tree', async () => {
    await fc.assert(
      fc.asyncProperty(entryLists, async (entries) => {
        const blobs = new MemoryBlobs();
        const tree = treeFromEntries(entries);
        await new TreeStore(blobs).put(tree);
        const stored = await new TreeStore(blobs).open(tree.treeId);
        expect([...stored.manifest]).toEqual([...tree.manifest]);
        for (const path of tree.manifest.keys()) {
          expect(Buffer.compare(await stored.read(path), await tree.read(path))).toBe(0);
        }
      }),
    );
  });

  it('uploads nothing for an existing tree', async () => {
    const blobs = new WatchedBlobs();
    const tree = treeFromEntries([binary('a', 100), binary('b', 100_000)]);
    expect(await new TreeStore(blobs).put(tree)).toMatchObject({ uploadedFiles: 2, uploadedBytes: 100_100 });
    blobs.puts.length = 0;
    expect(await new TreeStore(blobs).put(tree)).toMatchObject({ uploadedFiles: 0, knownFiles: 2 });
    expect(blobs.puts).toEqual([]);
  });

  it('stores small files in a few packs', async () => {
    const blobs = new WatchedBlobs();
    const entries = Array.from({ length: 1000 }, (_, index) => binary(`f${index}`, 4000));
    const tree = treeFromEntries(entries);
    const result = await new TreeStore(blobs).put(tree);
    expect(result).toMatchObject({ uploadedFiles: 1000, uploadedBytes: 4_000_000, packs: 4 });
    expect(blobs.puts).toHaveLength(6);
    expect(Math.max(...blobs.puts.slice(0, 4).map(({ size }) => size))).toBeLessThanOrEqual(1024 * 1024);
  });

  it('uploads only what changed, in the same process or in another', async () => {
    const blobs = new WatchedBlobs();
    const shared = [...Array.from({ length: 100 }, (_, index) => binary(`s${index}`, 500)), binary('large', 300_000)];
    const first = treeFromEntries([...shared, binary('own', 700)]);
    const second = treeFromEntries([...shared, binary('own', 800), binary('more', 90_000)]);
    const third = treeFromEntries([...shared, binary('own', 900)]);
    await new TreeStore(blobs).put(first);
    expect(blobs.contentBytes([first.treeId])).toBe(50_000 + 300_000 + 700);

    const elsewhere = new TreeStore(blobs);
    await elsewhere.put(second, { base: [first.treeId] });
    expect(blobs.contentBytes([second.treeId])).toBe(800 + 90_000);
    await elsewhere.put(third);
    expect(blobs.contentBytes([third.treeId])).toBe(900);
    for (const tree of [first, second, third]) {
      const stored = await new TreeStore(blobs).open(tree.treeId);
      for (const path of tree.manifest.keys()) {
        expect(Buffer.compare(await stored.read(path), await tree.read(path))).toBe(0);
      }
    }
  });

  it('uploads a content that several paths share once', async () => {
    const blobs = new WatchedBlobs();
    const entries = Array.from({ length: 50 }, (_, index): TreeEntry => ({ path: `f${index}`, content: 'the same' }));
    const tree = treeFromEntries(entries);
    expect(await new TreeStore(blobs).put(tree)).toMatchObject({ uploadedFiles: 1, packs: 1 });
    expect(blobs.contentBytes([tree.treeId])).toBe(8);
  });

  it('does not upload a content that another process stored', async () => {
    const blobs = new WatchedBlobs();
    const shared = [binary('small', 500), binary('large', 100_000)];
    await new TreeStore(blobs).put(treeFromEntries(shared));
    const second = treeFromEntries([...shared, binary('more', 100_001)]);
    blobs.puts.length = 0;
    await new TreeStore(blobs).put(second);
    expect(blobs.contentBytes([second.treeId])).toBe(100_001);
  });

  it('does not reuse packs that were swept', async () => {
    const blobs = new WatchedBlobs();
    const store = new TreeStore(blobs);
    const shared = binary('shared', 500);
    const first = treeFromEntries([shared]);
    const second = treeFromEntries([shared, binary('own', 5)]);
    await store.put(first);
    for (const key of await store.keysOf(first.treeId)) blobs.gone.add(key);
    await store.put(second, { base: [first.treeId] });
    expect((await (await new TreeStore(blobs).open(second.treeId)).read('shared')).byteLength).toBe(500);
  });

  it('shows a tree only when it is complete', async () => {
    const blobs = new WatchedBlobs();
    const tree = treeFromEntries([binary('a', 10), binary('b', 100_000)]);
    const torn = {
      ...tree,
      read: async (path: string) => (path === 'a' ? Promise.reject(new Error('torn')) : tree.read(path)),
    };
    await expect(new TreeStore(blobs).put(torn)).rejects.toThrow('torn');
    expect(await new TreeStore(blobs).has(tree.treeId)).toBe(false);
    await new TreeStore(blobs).put(tree);
    expect(blobs.puts.at(-1)?.key).toBe(tree.treeId);
  });

  it('caches a tree that it has just seen, for a limited time', async () => {
    const blobs = new WatchedBlobs();
    const tree = treeFromEntries([binary('a', 10)]);
    await new TreeStore(blobs).put(tree);
    let now = 1;
    const store = new TreeStore(blobs, () => now);
    await store.open(tree.treeId);
    const keys = await store.keysOf(tree.treeId);
    for (const key of keys) blobs.gone.add(key);
    blobs.puts.length = 0;
    now = RECENT_MS;
    expect(await store.put(tree)).toMatchObject({ uploadedFiles: 0 });
    expect((await store.open(tree.treeId)).manifest).toEqual(tree.manifest);
    now = RECENT_MS + 2;
    expect(await codesOf(() => store.open(tree.treeId))).toEqual(['tree_not_found']);
    expect(await store.put(tree)).toMatchObject({ uploadedFiles: 1 });
  });

  it('returns every key that a tree needs', async () => {
    const blobs = new WatchedBlobs();
    const store = new TreeStore(blobs);
    const tree = treeFromEntries([binary('a', 10), binary('b', 100_000)]);
    await store.put(tree);
    expect([...(await store.keysOf(tree.treeId))].sort()).toEqual(blobs.puts.map(({ key }) => key).sort());
  });
});

describe('a corrupted store', () => {
  const put = async (): Promise<{ blobs: WatchedBlobs; treeId: string; large: string }> => {
    const blobs = new WatchedBlobs();
    const tree = treeFromEntries([binary('small', 10), binary('large', 100_000)]);
    await new TreeStore(blobs).put(tree);
    return { blobs, treeId: tree.treeId, large: tree.manifest.get('large')?.sha256 ?? '' };
  };

  it('is distinguished from a missing tree', async () => {
    const { blobs } = await put();
    expect(await codesOf(() => new TreeStore(blobs).open(sha256Of('other')))).toEqual(['tree_not_found']);
    expect(await codesOf(() => new TreeStore(blobs).open('../x'))).toEqual(['tree_not_found']);
  });

  it('rejects a manifest with another id or in another spelling', async () => {
    const { blobs, treeId } = await put();
    await blobs.put(treeId, Buffer.from('{}'));
    expect(await codesOf(() => new TreeStore(blobs).open(treeId))).toEqual(['tree_content_corrupt']);
    const spaced = Buffer.from(` ${manifestText(new Map())}`);
    await blobs.put(sha256Of(spaced), spaced);
    expect(await codesOf(() => new TreeStore(blobs).open(sha256Of(spaced)))).toEqual(['tree_content_corrupt']);
  });

  it('rejects content that is missing or changed', async () => {
    const { blobs, treeId, large } = await put();
    const tree = await new TreeStore(blobs).open(treeId);
    await blobs.put(large, randomBytes(100_000));
    expect(await codesOf(() => tree.read('large'))).toEqual(['tree_content_corrupt']);
    blobs.gone.add(large);
    expect(await codesOf(() => tree.read('large'))).toEqual(['tree_content_missing']);
    const pack = blobs.puts[1]?.key ?? '';
    blobs.gone.add(pack);
    expect(await codesOf(() => tree.read('small'))).toEqual(['tree_content_missing']);
  });

  it('can be read again after a repair', async () => {
    const { blobs, treeId } = await put();
    const tree = await new TreeStore(blobs).open(treeId);
    const pack = blobs.puts[1]?.key ?? '';
    const whole = (await blobs.get(pack)) ?? new Uint8Array();
    await blobs.put(pack, randomBytes(whole.byteLength));
    expect(await codesOf(() => tree.read('small'))).toEqual(['tree_content_corrupt']);
    blobs.gone.add(pack);
    expect(await codesOf(() => tree.read('small'))).toEqual(['tree_content_missing']);
    blobs.gone.delete(pack);
    await blobs.put(pack, whole);
    expect((await tree.read('small')).byteLength).toBe(10);
  });

  it.each([
    '{',
    '[]',
    '{"version":2,"packs":{}}',
    '{"version":1,"packs":{"x":[]}}',
    '{"version":1,"packs":{"x":[["y",0]]}}',
  ])('is detected by a layout that is %s', async (layout) => {
    const { blobs, treeId } = await put();
    await blobs.put(`${treeId}.layout`, Buffer.from(layout));
    expect(await codesOf(() => new TreeStore(blobs).open(treeId))).toEqual(['tree_content_corrupt']);
  });
});
