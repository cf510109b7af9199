import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Blobs, openBucket } from '@reins/bus';
import { RequestsSystem } from '../requests/testing/requests-system.ts';

let system: RequestsSystem;
const reins = (...args: string[]) => system.reins('storage', ...args);

beforeAll(async () => {
  system = await RequestsSystem.start();
  const run = await system.record('open', 'direct-tool', { toolId: 'echo', args: {} });
  await run.close();
});
afterAll(() => system.stop());

test('shows each store with its size, and what the last sweep removed', async () => {
  const before = (await reins('show')).json;
  const streams = before.streams as unknown as { readonly stream: string }[];
  expect(streams).toContainEqual(
    expect.objectContaining({ stream: 'JOURNAL', kept: expect.stringContaining('90 days') }),
  );
  expect(streams.map(({ stream }) => stream)).toEqual(expect.arrayContaining(['EVENTS', 'OBJ_blobs', 'KV_sessions']));
  expect(before.sweep).toBeNull();
  const sweep = {
    startedAt: '2026-01-01T00:00:00.000Z',
    endedAt: '2026-01-01T00:00:01.000Z',
    runs: { expired: 2, kept: { parent: 1 } },
    records: 0,
    sessions: 1,
    objects: { blobs: { objects: 5, bytes: 50, suspects: 3, removed: 2, removedBytes: 20 } },
  };
  await (await openBucket<unknown>(system.bus, 'positions')).put('retention', sweep);
  expect((await reins('show')).json.sweep).toEqual(sweep);
});

test('a run that has not ended is kept because it is active', async () => {
  expect((await reins('why', 'open')).json).toEqual({ requestId: 'open', journal: 'open', reason: 'active' });
  expect((await reins('why', 'unknown')).json.errors).toMatchObject([{ code: 'request_not_found' }]);
});

test('lists what refers to a blob', async () => {
  const blobs = await Blobs.open(system.bus);
  const inner = await blobs.put(new TextEncoder().encode('inner'));
  const outer = await blobs.put(new TextEncoder().encode(JSON.stringify({ ref: inner })));
  await (await openBucket<unknown>(system.bus, 'sessions')).put('ws.s', { state: { tree: outer.sha256 } });
  const time = expect.any(String);
  expect((await reins('why', inner.sha256)).json.references).toEqual([{ in: 'blobs', name: outer.sha256, time }]);
  expect((await reins('why', outer.sha256)).json.references).toEqual([
    { in: 'KV_sessions', name: '$KV.sessions.ws.s', time },
  ]);
  const unused = await blobs.put(new TextEncoder().encode('unused'));
  expect((await reins('why', unused.sha256)).json.references).toEqual([]);
  expect((await reins('why', 'f'.repeat(64))).json.errors).toMatchObject([{ code: 'blob_not_found' }]);
});
