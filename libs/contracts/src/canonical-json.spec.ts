import { describe, expect, test } from '@jest/globals';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { canonicalJson } from './canonical-json.ts';

describe('canonical JSON', () => {
  test('equals the reference implementation', () => {
    const strings = fc.string({ unit: 'binary' }).map((text) => text.toWellFormed());
    const values = fc.oneof(
      fc.jsonValue(),
      fc.object({
        key: strings,
        values: [
          fc.double({ noNaN: true, noDefaultInfinity: true }),
          strings,
          fc.boolean(),
          fc.integer(),
          fc.constant(null),
        ],
      }),
    );
    fc.assert(
      fc.property(values, (value) => expect(canonicalJson(value)).toBe(canonicalize(value))),
      { numRuns: 500 },
    );
  });

  test('sorts members by UTF-16 code units, including integer keys', () => {
    expect(canonicalJson({ 10: 0, 9: 0, a: 0, B: 0, '\u{1F600}': 0, '\uFB33': 0 })).toBe(
      '{"10":0,"9":0,"B":0,"a":0,"😀":0,"\uFB33":0}',
    );
  });

  test('escapes text that looks like an escape', () => {
    expect(canonicalJson('\\ud800')).toBe('"\\\\ud800"');
  });

  test('writes a lone surrogate as its escape, which round-trips', () => {
    expect(canonicalJson(['a\ud83d', { '\udfff': 1 }])).toBe('["a\\ud83d",{"\\udfff":1}]');
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => expect(JSON.parse(canonicalJson(text))).toBe(text)));
  });

  test('handles all member names at every depth', () => {
    const names = fc.constantFrom('__proto__', '0', '10', '9', '-1', '!', 'a', 'B', '', 'constructor', 'toString');
    const values = fc.object({ key: names, maxDepth: 4, values: [fc.integer(), fc.constant(undefined)] });
    const plain = values.map((value): unknown => JSON.parse(JSON.stringify(value)));
    fc.assert(
      fc.property(plain, (value) => expect(canonicalJson(value)).toBe(canonicalize(value))),
      { numRuns: 500 },
    );
  });

  test('omits undefined members and writes undefined items as null', () => {
    expect(canonicalJson({ a: undefined, b: [undefined] })).toBe('{"b":[null]}');
  });

  test.each([[Number.NaN], [Number.POSITIVE_INFINITY], [1n], [() => 1]])('rejects %p', (value) => {
    expect(() => canonicalJson(value)).toThrow(TypeError);
  });
});
