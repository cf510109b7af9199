import { expect, test } from '@jest/globals';
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
  let type = '';
  const append = (next: string): void => {
    [version, position, type] = [version + 1, position + 3, next];
    index.started(run);
    index.appended(position);
  };
  return { index, append, settle: () => index.settled(run, { type, version }), snapshots: () => snapshots };
}

test('a run is in progress from its append until it settles, and removed when it has ended and settled', () => {
  const { index, append, settle } = opened();
  index.complete(new Map(), 1);
  append('RUN_CREATED');
  expect(index.snapshot()).toEqual({ seq: 3, runs: { 'ws.r1': 0 } });
  settle();
  expect(index.snapshot()).toEqual({ seq: 3, runs: { 'ws.r1': 1 } });
  append('RUN_COMPLETED');
  expect(index.snapshot()).toEqual({ seq: 6, runs: { 'ws.r1': 0 } });
  expect(index.has(run)).toBe(true);
  settle();
  expect(index.snapshot()).toEqual({ seq: 6, runs: {} });
});

test('gives no snapshot before it is complete, and does not add runs that ended meanwhile', () => {
  const { index, append, settle } = opened();
  append('RUN_CREATED');
  append('RUN_FAILED');
  settle();
  expect(index.snapshot()).toBeUndefined();
  const before = new Map([
    ['ws.r1', 1],
    ['ws.r2', 7],
  ]);
  index.complete(before, 4);
  expect(index.snapshot()).toEqual({ seq: 6, runs: { 'ws.r2': 7 } });
});

test('knows the version that settled under this owner, not those of earlier owners', () => {
  const { index, append, settle } = opened();
  index.complete(new Map([['ws.r1', 1]]), 1);
  expect(index.isSettled(run, 1)).toBe(false);
  append('RUN_CREATED');
  expect(index.isSettled(run, 1)).toBe(false);
  settle();
  expect([index.isSettled(run, 1), index.isSettled(run, 2)]).toEqual([true, false]);
  append('PROCESS_LOG');
  expect(index.isSettled(run, 1)).toBe(false);
});

test('a snapshot is due after so many commits', () => {
  const { append, snapshots } = opened();
  for (let n = 0; n < 1_000; n += 1) append('PROCESS_LOG');
  expect(snapshots()).toBe(1);
});
