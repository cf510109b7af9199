import { expect, test } from '@jest/globals';
import { EventHub } from './event-hub.ts';
import type { EventFrame } from './frames.ts';

const frame = (requestId: string): EventFrame => ({
  requestId,
  type: 'runtime.request.started',
  seq: 1,
  frame: Buffer.from(''),
  view: undefined,
  ends: undefined,
  narrates: undefined,
});

test('publishes events to all clients that watch the run, and to no others', () => {
  const hub = new EventHub();
  const received: string[] = [];
  const leave = hub.subscribe(
    'r1',
    () => received.push('a'),
    () => {},
  );
  hub.subscribe(
    'r1',
    () => received.push('b'),
    () => {},
  );
  hub.subscribe(
    'r2',
    () => received.push('c'),
    () => {},
  );
  hub.publish(frame('r1'));
  leave();
  hub.publish(frame('r1'));
  expect(received).toEqual(['a', 'b', 'b']);
  expect([hub.isWatched('r1'), hub.isWatched('r3'), hub.watchers]).toEqual([true, false, 2]);
});

test('forgets a run without watching clients', () => {
  const hub = new EventHub();
  hub.subscribe(
    'r1',
    () => {},
    () => {},
  )();
  expect([hub.isWatched('r1'), hub.watchers]).toEqual([false, 0]);
});

test('closeAll closes every subscription, also when one unsubscribes meanwhile', () => {
  const hub = new EventHub();
  const closed: number[] = [];
  const leaves: (() => void)[] = [];
  for (const n of [1, 2, 3])
    leaves.push(
      hub.subscribe(
        'r',
        () => {},
        () => {
          closed.push(n);
          leaves[n - 1]?.();
        },
      ),
    );
  hub.closeAll();
  expect(closed).toEqual([1, 2, 3]);
  expect(hub.watchers).toBe(0);
});

test('keeps the last sequence only for recent runs', () => {
  const hub = new EventHub();
  for (let n = 0; n < 10_001; n++) hub.recordSeq(`r${n}`, n);
  expect([hub.lastSeq('r0'), hub.lastSeq('r1'), hub.lastSeq('r10000')]).toEqual([undefined, 1, 10_000]);
});
