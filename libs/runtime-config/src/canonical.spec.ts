import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { canonicalHash } from './canonical.ts';

it('the hash of a value does not depend on the order of its members', () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => expect(canonicalHash(reversed(value))).toBe(canonicalHash(value))));
});

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, reversed(member)]),
  );
}
