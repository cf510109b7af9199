import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { fairShare, preferred } from './share.ts';

describe('the share of a replica', () => {
  it('covers all partitions and exceeds the even share by less than one', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 256 }), fc.integer({ min: 1, max: 64 }), (partitions, replicas) => {
        const share = fairShare(partitions, replicas);
        expect(share * replicas).toBeGreaterThanOrEqual(partitions);
        expect(share).toBeLessThan(partitions / replicas + 1);
      }),
    );
  });

  it('is all partitions when no replica is known', () => {
    expect(fairShare(16, 0)).toBe(16);
  });
});

describe('the preferred order of free partitions', () => {
  it('has each partition once, starting at the own offset', () => {
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
