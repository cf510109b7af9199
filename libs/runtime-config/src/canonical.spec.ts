import { describe, expect, it, test } from '@jest/globals';
import fc from 'fast-check';
import { canonicalHash, canonicalJson } from './canonical.ts';

describe('canonical JSON', () => {
  it('sorts members, leaves absent ones out, keeps lists in order', () => {
    expect(canonicalJson({ b: 1, a: [2, { d: undefined, c: null }], é: '\u0001' })).toBe(
      '{"a":[2,{"c":null}],"b":1,"é":"\\u0001"}',
    );
  });

  test('property: it reads back as the same value and does not depend on the order of members', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value);
        expect(canonicalJson(JSON.parse(text))).toBe(text);
        expect(canonicalHash(reversed(value))).toBe(canonicalHash(value));
      }),
    );
  });
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
