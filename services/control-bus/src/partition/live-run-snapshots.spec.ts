import { expect, test } from '@jest/globals';
import type { Blobs, Lease } from '@reins/bus';
import { LiveRunSnapshots, type StoredSnapshot } from './live-run-snapshots.ts';

const STREAM_CREATED_AT = '2026-01-01T00:00:00Z';
const lease = (epoch: number) => ({ partition: 0, epoch }) as Lease;

test('a claim succeeds although its response was lost, and fails for a snapshot of a newer owner', async () => {
  let stored: StoredSnapshot = { stream: STREAM_CREATED_AT, epoch: 3, page: { seq: 5, runs: { 'ws.r': 0 } } };
  const snapshots = new LiveRunSnapshots({
    bucket: {
      get: async (key) => ({ key, value: stored, revision: 1 }),
      put: async () => 1,
      create: async () => 1,
      update: async (_, value) => {
        stored = value;
        return undefined;
      },
    },
    blobs: {} as Blobs,
    stream: async () => ({ created: STREAM_CREATED_AT, lastSeq: 9 }),
    commitAt: async () => undefined,
    log: { warn: () => {} },
  });
  expect(await snapshots.claim(lease(4))).toEqual({ seq: 5, runs: { 'ws.r': 0 } });
  expect(stored.epoch).toBe(4);
  expect(await snapshots.claim(lease(3))).toBeUndefined();
});

test('a snapshot of a journal stream that was set back is not used, although the stream is long enough again', async () => {
  const stored = { stream: STREAM_CREATED_AT, commit: 'lost', page: { seq: 5, runs: {} } };
  const snapshotsWith = (commit: string | undefined) =>
    new LiveRunSnapshots({
      bucket: {
        get: async (key) => ({ key, value: stored, revision: 1 }),
        put: async () => 1,
        create: async () => 1,
        update: async () => 2,
      },
      blobs: {} as Blobs,
      stream: async () => ({ created: STREAM_CREATED_AT, lastSeq: 9 }),
      commitAt: async () => commit,
      log: { warn: () => {} },
    });
  expect(await snapshotsWith('lost').claim(lease(4))).toEqual(stored.page);
  expect(await snapshotsWith('another').claim(lease(4))).toBeUndefined();
  // An archived run has left the stream.
  expect(await snapshotsWith(undefined).claim(lease(4))).toEqual(stored.page);
});
