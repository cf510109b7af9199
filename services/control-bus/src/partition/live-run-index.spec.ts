import { expect, test } from '@jest/globals';
import { type Entry, type EntryDraft, type JournalStore, sealEntries } from '@reins/journal';
import type { RunPorts } from '../run/run-ports.ts';
import { LiveRunIndex } from './live-run-index.ts';

const run = { workspaceId: 'ws', runId: 'r1' };

/** An index, and a run that appends and settles under it. */
function opened() {
  let snapshots = 0;
  const index = new LiveRunIndex(() => {
    snapshots += 1;
  });
  let version = 0;
  let position = 0;
  const stored = async () => {
    position += 3;
    return { outcome: 'stored', position };
  };
  const journal = { append: stored } as unknown as JournalStore;
  const ports = index.track(run, { journal, alarm: () => {} } as unknown as RunPorts);
  const append = async (type: string): Promise<void> => {
    const entries = sealEntries({ version, hash: '' }, [{ type, data: {} } as unknown as EntryDraft], '') as Entry[];
    version += 1;
    await ports.journal.append(run, { entries, epoch: 1 }, position);
  };
  return { index, append, settle: () => ports.alarm(undefined), snapshots: () => snapshots };
}

test('a run is in progress from its append until its alarm is set, and removed when it has ended and settled', async () => {
  const { index, append, settle } = opened();
  index.complete(new Map(), 1);
  await append('RUN_CREATED');
  expect(index.snapshot()).toEqual({ seq: 3, runs: { 'ws.r1': 0 } });
  settle();
  expect(index.snapshot()).toEqual({ seq: 3, runs: { 'ws.r1': 1 } });
  await append('RUN_COMPLETED');
  expect(index.snapshot()).toEqual({ seq: 6, runs: { 'ws.r1': 0 } });
  expect(index.has(run)).toBe(true);
  settle();
  expect(index.snapshot()).toEqual({ seq: 6, runs: {} });
});

test('gives no snapshot before it is complete, and does not add runs that ended meanwhile', async () => {
  const { index, append, settle } = opened();
  await append('RUN_CREATED');
  await append('RUN_FAILED');
  settle();
  expect(index.snapshot()).toBeUndefined();
  const before = new Map([
    ['ws.r1', 1],
    ['ws.r2', 7],
  ]);
  index.complete(before, 4);
  expect(index.snapshot()).toEqual({ seq: 6, runs: { 'ws.r2': 7 } });
});

test('a snapshot is due after so many commits', async () => {
  const { append, snapshots } = opened();
  for (let n = 0; n < 1_000; n += 1) await append('PROCESS_LOG');
  expect(snapshots()).toBe(1);
});
