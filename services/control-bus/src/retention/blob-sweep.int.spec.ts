import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { Blobs, type Bus, connectBus, KeyedBlobs, openBucket, provision, StoredObjects } from '@reins/bus';
import { packJournals } from '@reins/journal';
import { startNats, type TestNats } from '@reins/testing';
import { TreeStore, treeFromEntries } from '@reins/workspace-tree';
import { type BlobSweepPorts, type SweptStore, sweepBlobs } from './blob-sweep.ts';
import { busBlobPorts } from './bus-blob-ports.ts';

let nats: TestNats;
let bus: Bus;
let blobs: Blobs;
let sweeps = 0;

beforeAll(async () => {
  nats = await startNats();
  bus = await connectBus({ servers: nats.url, name: 'test' });
  await provision(bus, { managed: 'self', partitions: 2, replicas: 1, runtimeIds: [] });
  blobs = await Blobs.open(bus);
});
afterAll(async () => {
  await bus.close();
  await nats.stop();
});
afterEach(() => {
  jest.restoreAllMocks();
});

const text = (value: string): Uint8Array => new TextEncoder().encode(value);

/** A sweep, a while after the one before. */
async function sweep(more: Partial<BlobSweepPorts> = {}): Promise<readonly SweptStore[] | undefined> {
  sweeps += 1;
  const clock = { now: () => new Date(Date.now() + sweeps * 120_000) };
  const ports = await busBlobPorts({ bus, clock, isStopped: () => false });
  return sweepBlobs({ ...ports, ...more });
}

/** Something outside of the store that refers to blobs. */
async function refer(key: string, value: unknown): Promise<void> {
  await (await openBucket<unknown>(bus, 'sessions')).put(`ws.${key}`, value);
}
const release = async (key: string) => (await openBucket<unknown>(bus, 'sessions')).delete(`ws.${key}`);

/** Objects that exist already count as old. */
const letTimePass = () => {
  const now = Date.now.bind(Date);
  jest.spyOn(Date, 'now').mockImplementation(() => now() + 60_000);
};

test('a blob is removed when two searches have found no reference', async () => {
  const [unused, used, large] = await Promise.all(
    ['unused', 'used', 'x'.repeat(400_000)].map((each) => blobs.put(text(each))),
  );
  await refer('used', { tree: `native@${used?.sha256}` });
  await sweep();
  expect(await blobs.get(unused?.sha256 ?? '')).toEqual(Buffer.from('unused'));
  const [swept] = (await sweep()) ?? [];
  expect(swept).toMatchObject({ removed: 2, removedBytes: 400_006 });
  await expect(blobs.get(unused?.sha256 ?? '')).rejects.toMatchObject({ code: 'blob_not_found' });
  await expect(blobs.get(large?.sha256 ?? '')).rejects.toMatchObject({ code: 'blob_not_found' });
  expect(await blobs.get(used?.sha256 ?? '')).toEqual(Buffer.from('used'));
  // Tombstones go, too.
  await sweep();
  const names = await Array.fromAsync(new StoredObjects(bus, 'blobs').list(), ({ name }) => name);
  expect(names).not.toContain(unused?.sha256);
  expect(await blobs.put(text('unused'))).toEqual(unused);
  expect(await blobs.get(unused?.sha256 ?? '')).toEqual(Buffer.from('unused'));
});

test('what a tree, a blob and a pack of the archive refer to is kept until they are removed', async () => {
  const trees = new TreeStore(await KeyedBlobs.open(bus));
  const content = 'c'.repeat(300_000);
  const tree = treeFromEntries([
    { path: 'small.txt', content: 'small' },
    { path: 'large.txt', content },
  ]);
  await trees.put(tree);
  const inner = await blobs.put(text('inner'));
  const outer = await blobs.put(text(JSON.stringify({ padding: 'p'.repeat(200_000), tree: tree.treeId, ref: inner })));
  const archived = await blobs.put(text('of an archived run'));
  const archive = await Blobs.open(bus, 'archive');
  const run = { workspaceId: 'ws', runId: 'r' };
  const pack = await packJournals([{ run, entries: [{ data: { ref: archived } }] as never }]);
  const packRef = await archive.put(pack);
  await refer('head', { ref: outer, pack: packRef });
  for (let at = 0; at < 3; at += 1) await sweep();
  expect(await (await trees.open(tree.treeId)).read('large.txt')).toEqual(Buffer.from(content));
  expect((await blobs.get(inner)).length + (await blobs.get(archived)).length).toBeGreaterThan(0);
  await release('head');
  const left = async () => (await Array.fromAsync(new StoredObjects(bus, 'blobs').list(), ({ name }) => name)).length;
  const before = await left();
  // One after the other: from what refers to others to what they refer to.
  for (let at = 0; at < 10; at += 1) await sweep();
  expect(await left()).toBeLessThanOrEqual(before - 7);
  await expect(archive.get(packRef)).rejects.toMatchObject({ code: 'blob_not_found' });
  const fresh = new TreeStore(await KeyedBlobs.open(bus));
  await expect(fresh.open(tree.treeId)).rejects.toMatchObject({ code: 'tree_not_found' });
});

test('a blob that is stored again between two searches is kept', async () => {
  const ref = await blobs.put(text('again'));
  await sweep();
  letTimePass();
  await blobs.put(text('again'));
  await sweep();
  expect(await blobs.get(ref)).toEqual(Buffer.from('again'));
  await sweep();
  await expect(blobs.get(ref)).rejects.toMatchObject({ code: 'blob_not_found' });
});

test('a sweep finishes what a crash interrupted, and a search that comes too early is skipped', async () => {
  const refs = await Promise.all([1, 2, 3].map((each) => blobs.put(text(`crash ${each}`))));
  await sweep();
  const store = new StoredObjects(bus, 'blobs');
  const crashing = { list: () => store.list(), remove: () => Promise.reject(new Error('killed')) };
  await expect(sweep({ stores: [crashing, crashing] as never })).rejects.toThrow('killed');
  for (const ref of refs) expect(await blobs.get(ref)).toBeDefined();
  sweeps -= 1;
  expect(await sweep()).toBeUndefined();
  for (const ref of refs) await expect(blobs.get(ref)).rejects.toMatchObject({ code: 'blob_not_found' });
});

test('no blob that work refers to is lost while sweeps run', async () => {
  letTimePass();
  const [workers, contents] = [6, 4];
  const done = new Array<number>(workers).fill(0);
  let isOver = false;
  let seed = 7;
  const random = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % below;
  };
  const work = async (worker: number): Promise<void> => {
    while (!isOver) {
      const content = text(`shared ${random(contents)} ${'x'.repeat(random(2) * 200_000)}`);
      const ref = await blobs.put(content);
      await refer(`worker-${worker}`, { ref });
      expect(Buffer.compare(await blobs.get(ref), content)).toBe(0);
      await release(`worker-${worker}`);
      done[worker] = (done[worker] ?? 0) + 1;
    }
  };
  const running = Promise.all(Array.from({ length: workers }, (_, worker) => work(worker)));
  let removed = 0;
  for (let at = 0; at < 15; at += 1) {
    const before = [...done];
    const [swept] = (await Promise.race([sweep(), running.then(() => undefined)])) ?? [];
    removed += swept?.removed ?? 0;
    // Each worker has stored its reference before the second of two searches ends.
    while (done.some((count, worker) => count <= (before[worker] ?? 0) + 1))
      await Promise.race([bus.nc.flush(), running]);
  }
  isOver = true;
  await running;
  expect(removed).toBeGreaterThan(0);
});
