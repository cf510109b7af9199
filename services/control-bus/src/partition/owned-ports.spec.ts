import { expect, test } from '@jest/globals';
import type { Lease } from '@reins/bus';
import type { Commit, JournalStore } from '@reins/journal';
import { type BarePorts, type OwnedParts, ownedPorts } from './owned-ports.ts';
import { RunBook } from './run-book.ts';

const RUN = { workspaceId: 'ws', runId: 'r' };
const COMMIT: Commit = { entries: [], epoch: 7 };

/** The ports of a run under a lease whose owner has not begun yet. */
function opened() {
  const begun = Promise.withResolvers<void>();
  begun.promise.catch(() => undefined);
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
  const bare = { runPorts: () => ({ journal: { append } }) } as unknown as BarePorts;
  const book = new RunBook(() => {});
  const books = { of: () => book, opened: () => begun.promise } as unknown as OwnedParts['books'];
  const parts = { books, archivist: {} as OwnedParts['archivist'], checkpoints: { grown() {} } };
  const { runPorts } = ownedPorts(bare, parts);
  const { epoch, journal } = runPorts(lease, {} as Parameters<typeof runPorts>[1], RUN);
  return {
    appended,
    begun,
    epoch,
    lose: () => {
      isValid = false;
    },
    send: () => journal.append(RUN, COMMIT, 0),
  };
}

test('an owner appends when it has begun, and not before', async () => {
  const { appended, begun, epoch, send } = opened();
  const sent = send();
  await new Promise(setImmediate);
  expect(appended).toEqual([]);
  begun.resolve();
  expect(await sent).toEqual({ outcome: 'stored', position: 1 });
  expect(appended).toEqual([[RUN, COMMIT, 0]]);
  expect(epoch()).toBe(7);
});

test('one that could not begin, or whose lease is in doubt before or after it has begun, appends nothing', async () => {
  const moved = { code: 'partition_moved' };
  const failed = opened();
  failed.begun.reject(new Error('there is no page'));
  await expect(failed.send()).rejects.toThrow('there is no page');
  const before = opened();
  before.lose();
  await expect(before.send()).rejects.toMatchObject(moved);
  expect(before.epoch).toThrow(expect.objectContaining(moved));
  const meanwhile = opened();
  const sent = meanwhile.send();
  meanwhile.lose();
  meanwhile.begun.resolve();
  await expect(sent).rejects.toMatchObject(moved);
  for (const { appended } of [failed, before, meanwhile]) expect(appended).toEqual([]);
});
