import { expect, test } from '@jest/globals';
import { EventHub } from './event-hub.ts';
import type { EventFrame } from './frames.ts';

const told = (requestId: string): EventFrame => ({
  requestId,
  type: 'runtime.request.started',
  seq: 1,
  frame: Buffer.from(''),
  view: undefined,
  ends: undefined,
});

test('everybody who watches a run is told, and nobody else', () => {
  const hub = new EventHub();
  const heard: string[] = [];
  const leave = hub.subscribe(
    'r1',
    () => heard.push('a'),
    () => {},
  );
  hub.subscribe(
    'r1',
    () => heard.push('b'),
    () => {},
  );
  hub.subscribe(
    'r2',
    () => heard.push('c'),
    () => {},
  );
  hub.publish(told('r1'));
  leave();
  hub.publish(told('r1'));
  expect(heard).toEqual(['a', 'b', 'b']);
  expect([hub.isWatched('r1'), hub.isWatched('r3'), hub.watchers]).toEqual([true, false, 2]);
});

test('a run that nobody watches any more is forgotten', () => {
  const hub = new EventHub();
  hub.subscribe(
    'r1',
    () => {},
    () => {},
  )();
  expect([hub.isWatched('r1'), hub.watchers]).toEqual([false, 0]);
});

test('closing all calls each of them, also those that leave meanwhile', () => {
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

test('how far the log tells is remembered of recent runs alone', () => {
  const hub = new EventHub();
  for (let n = 0; n < 10_001; n++) hub.saw(`r${n}`, n);
  expect([hub.lastSeq('r0'), hub.lastSeq('r1'), hub.lastSeq('r10000')]).toEqual([undefined, 1, 10_000]);
});
