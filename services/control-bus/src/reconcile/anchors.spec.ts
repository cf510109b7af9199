import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Anchor, withAnchor } from './anchors.ts';

const at = (seq: number): Anchor => ({ journal: { seq }, events: { seq } });

test('keeps the newest anchors, and few of the older ones', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 200 }), (steps) => {
      let anchors: readonly Anchor[] = [];
      let seq = 0;
      for (const step of steps) {
        seq += step;
        anchors = withAnchor(anchors, at(seq));
      }
      const kept = anchors.map(({ events }) => events.seq);
      expect(kept[0]).toBe(seq);
      expect(kept).toEqual([...kept].sort((a, b) => b - a));
      expect(kept.length).toBeLessThanOrEqual(24);
    }),
  );
});

test('always has an anchor that is not much further back than a point to which the log was set back', () => {
  let anchors: readonly Anchor[] = [];
  for (let seq = 1; seq <= 1_000; seq += 1) anchors = withAnchor(anchors, at(seq));
  for (const lost of [1, 10, 100, 400]) {
    const found = anchors.find(({ events }) => events.seq <= 1_000 - lost);
    expect(1_000 - (found?.events.seq ?? Number.NEGATIVE_INFINITY)).toBeLessThanOrEqual(4 * lost);
  }
});
