import { expect, test } from '@jest/globals';
import type { Lease } from '@reins/bus';
import type { Commit, JournalStore } from '@reins/journal';
import { LiveRunIndex } from './live-run-index.ts';
import { type OwnerServices, ownedPorts, type SharedPartitionPorts } from './owned-ports.ts';

const RUN = { workspaceId: 'ws', runId: 'r' };
const COMMIT: Commit = { entries: [], epoch: 7 };

/** The ports of a run under a lease whose owner has not finished its takeover. */
function opened() {
  const ready = Promise.withResolvers<void>();
  ready.promise.catch(() => undefined);
  let isValid = true;
  const lease: Lease = {
    partition: 0,
    epoch: 7,
    get valid() {
      return isValid;
    },
    signal: new AbortController().signal,
  };
  const appended: unknown[] = [];
  const append: JournalStore['append'] = async (...commit) => {
    appended.push(commit);
    return { outcome: 'stored', position: 1 };
  };
  const bare = { runPorts: () => ({ journal: { append } }) } as unknown as SharedPartitionPorts;
  const index = new LiveRunIndex(() => {});
  const liveRunIndexes = { of: () => index, ready: () => ready.promise } as unknown as OwnerServices['liveRunIndexes'];
  const parts = { liveRunIndexes, archiver: {} as OwnerServices['archiver'], checkpoints: { onAppend() {} } };
  const { runPorts } = ownedPorts(bare, parts);
  const { epoch, journal } = runPorts(lease, {} as Parameters<typeof runPorts>[1], RUN);
  return {
    appended,
    ready,
    epoch,
    lose: () => {
      isValid = false;
    },
    send: () => journal.append(RUN, COMMIT, 0),
  };
}

test('an owner appends only after its takeover', async () => {
  const { appended, ready, epoch, send } = opened();
  const sent = send();
  await new Promise(setImmediate);
  expect(appended).toEqual([]);
  ready.resolve();
  expect(await sent).toEqual({ outcome: 'stored', position: 1 });
  expect(appended).toEqual([[RUN, COMMIT, 0]]);
  expect(epoch()).toBe(7);
});

test('an owner appends nothing after a failed takeover, or without a valid lease', async () => {
  const moved = { code: 'partition_moved' };
  const failed = opened();
  failed.ready.reject(new Error('no snapshot'));
  await expect(failed.send()).rejects.toThrow('no snapshot');
  const before = opened();
  before.lose();
  await expect(before.send()).rejects.toMatchObject(moved);
  expect(before.epoch).toThrow(expect.objectContaining(moved));
  const meanwhile = opened();
  const sent = meanwhile.send();
  meanwhile.lose();
  meanwhile.ready.resolve();
  await expect(sent).rejects.toMatchObject(moved);
  for (const { appended } of [failed, before, meanwhile]) expect(appended).toEqual([]);
});
