import { expect, test } from '@jest/globals';
import type { Blobs, Lease } from '@reins/bus';
import { type KeptPage, RunPages } from './run-pages.ts';

const STREAM = 'made once';
const lease = (epoch: number) => ({ partition: 0, epoch }) as Lease;

test('a page is ours though the answer to taking it was lost, and a page of a newer owner is not', async () => {
  let kept: KeptPage = { stream: STREAM, epoch: 3, page: { seq: 5, runs: { 'ws.r': 0 } } };
  const pages = new RunPages({
    bucket: {
      get: async (key) => ({ key, value: kept, revision: 1 }),
      put: async () => 1,
      create: async () => 1,
      update: async (_, value) => {
        kept = value;
        return undefined;
      },
    },
    long: {} as Blobs,
    stream: async () => ({ created: STREAM, lastSeq: 9 }),
    log: { warn: () => {} },
  });
  expect(await pages.claim(lease(4))).toEqual({ seq: 5, runs: { 'ws.r': 0 } });
  expect(kept.epoch).toBe(4);
  expect(await pages.claim(lease(3))).toBeUndefined();
});
