import { expect, test } from '@jest/globals';
import { placeIn } from './stage-queues.ts';

test('the estimate follows from the position, the mean duration and the slots', () => {
  expect(placeIn({ ahead: 0, meanMs: 60_000 }, 4)).toEqual({ position: 1, slots: 4, estimatedWaitMs: 15_000 });
  expect(placeIn({ ahead: 7, meanMs: 60_000 }, 4)).toEqual({ position: 8, slots: 4, estimatedWaitMs: 120_000 });
});

test('the estimate is absent without an ended stage, and without a live host', () => {
  expect(placeIn({ ahead: 2, meanMs: undefined }, 4)).toEqual({ position: 3, slots: 4 });
  expect(placeIn({ ahead: 2, meanMs: 60_000 }, 0)).toEqual({ position: 3, slots: 0 });
});
