import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { fairShare, preferred } from './share.ts';

describe('the share of a replica', () => {
  it('is enough for all partitions, and no more than one above what is even', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 256 }), fc.integer({ min: 1, max: 64 }), (partitions, replicas) => {
        const share = fairShare(partitions, replicas);
        expect(share * replicas).toBeGreaterThanOrEqual(partitions);
        expect(share).toBeLessThan(partitions / replicas + 1);
      }),
    );
  });

  it('is everything for one that knows of no other, not even of itself', () => {
    expect(fairShare(16, 0)).toBe(16);
  });
});

describe('the order in which free partitions are tried', () => {
  it('has each of them once, beginning at the own place', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 64 }),
        fc.nat(),
        fc.infiniteStream(fc.boolean()),
        (partitions, seed, coins) => {
          const start = seed % partitions;
          const free = Array.from({ length: partitions }, (_, n) => n).filter(() => coins.next().value);
          const order = preferred(free, partitions, start);
          expect([...order].sort((a, b) => a - b)).toEqual(free);
          if (free.includes(start)) expect(order[0]).toBe(start);
        },
      ),
    );
  });
});
