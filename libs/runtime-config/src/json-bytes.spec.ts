import { describe, expect, it, test } from '@jest/globals';
import fc from 'fast-check';
import { jsonBytes, markShared } from './json-bytes.ts';

const textOf = (document: object): string => Buffer.from(jsonBytes(document)).toString();

describe('the bytes of a document', () => {
  test('property: equal those of JSON.stringify, independent of shared values', () => {
    const long = fc.string({ minLength: 1 }).map((text) => `${text} — ${text}`.repeat(30));
    const member = fc.oneof(fc.jsonValue(), long);
    fc.assert(
      fc.property(fc.dictionary(fc.string(), member), fc.nat(5), (document, nth) => {
        const members = Object.values(document).filter(
          (value) => typeof value === 'object' || typeof value === 'string',
        );
        const marked = members[nth % Math.max(1, members.length)];
        if (marked) markShared(marked as object | string);
        const nested = { deep: { deeper: document, list: [document] } };
        for (const each of [document, nested, nested]) expect(textOf(each)).toBe(JSON.stringify(each));
      }),
    );
  });

  it('omits what JSON omits', () => {
    const document = { a: undefined, b: { c: undefined }, d: [undefined], e: null, f: () => 1 };
    expect(textOf(document)).toBe('{"b":{},"d":[null],"e":null}');
    expect(textOf(JSON.parse('{"__proto__":{"x":1}}') as object)).toBe('{"__proto__":{"x":1}}');
  });

  it('writes a shared object once', () => {
    let written = 0;
    const part = markShared({
      get counted() {
        written += 1;
        return 1;
      },
    });
    expect([textOf({ part }), textOf({ other: { part } })]).toEqual([
      '{"part":{"counted":1}}',
      '{"other":{"part":{"counted":1}}}',
    ]);
    expect(written).toBe(1);
  });

  it('caches a limited number of texts', () => {
    const prompts = Array.from({ length: 300 }, (_, n) => markShared(`${n}`.padEnd(300, '…')));
    for (const prompt of prompts) expect(textOf({ prompt })).toBe(JSON.stringify({ prompt }));
  });
});
