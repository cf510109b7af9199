import { expect, test } from '@jest/globals';
import type { Lease } from '@reins/bus';
import { type Commit, EMPTY_HEAD, type JournalStore } from '@reins/journal';
import { NO_PROGRESS } from '../testing/no-progress.ts';
import { LiveRunIndex } from './live-run-index.ts';
import { OwnedJournal } from './owned-journal.ts';

const RUN = { workspaceId: 'ws', runId: 'r' };
const COMMIT: Commit = { entries: [], epoch: 7 };

/**
 * A journal under a lease whose owner has not finished its takeover.
 * @param isConfirmed whether the server confirms the lease
 */
function opened(isConfirmed = true) {
  const ready = Promise.withResolvers<void>();
  ready.promise.catch(() => undefined);
  let isValid = true;
  let epoch = 7;
  const lease: Lease = {
    partition: 0,
    get epoch() {
      return epoch;
    },
    get valid() {
      return isValid;
    },
    signal: new AbortController().signal,
    raiseEpoch: async (above) => {
      if (isConfirmed) epoch = above + 1;
    },
  };
  const appended: unknown[] = [];
  const append: JournalStore['append'] = async (...commit) => {
    appended.push(commit);
    return { outcome: 'stored', position: 1 };
  };
  const load = async () => ({ entries: [], head: EMPTY_HEAD, position: 1, lastCommitSize: 0, epoch: 9 });
  const index = new LiveRunIndex(() => {});
  const extended: unknown[] = [];
  const journal = new OwnedJournal({
    lease,
    store: { append, load },
    fetchPack: () => Promise.reject(new Error('nothing is archived')),
    liveRuns: { index, ready: () => ready.promise },
    checkpoints: { onAppend: (...commit) => void extended.push(commit) },
    progress: NO_PROGRESS,
  });
  return {
    appended,
    ready,
    extended,
    isLive: () => journal.isLive(RUN),
    epoch: () => journal.epoch,
    load: () => journal.load(RUN),
    lose: () => {
      isValid = false;
    },
    send: () => journal.append(RUN, COMMIT, 0),
  };
}

test('an owner appends only after its takeover', async () => {
  const { appended, extended, isLive, ready, epoch, send } = opened();
  const sent = send();
  await new Promise(setImmediate);
  expect(appended).toEqual([]);
  ready.resolve();
  expect(await sent).toEqual({ outcome: 'stored', position: 1 });
  expect(appended).toEqual([[RUN, COMMIT, 0]]);
  expect(extended).toEqual([[RUN, COMMIT]]);
  expect(isLive()).toBe(true);
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
  for (const { appended, isLive } of [failed, before, meanwhile]) {
    expect(appended).toEqual([]);
    expect(isLive()).toBe(false);
  }
});

test('an owner whose lease is confirmed raises its epoch above that of a journal', async () => {
  const { epoch, load } = opened();
  await load();
  expect(epoch()).toBe(10);
  const outdated = opened(false);
  await outdated.load();
  expect(outdated.epoch()).toBe(7);
});
