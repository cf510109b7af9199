import { describe, expect, it, test } from '@jest/globals';
import fc from 'fast-check';
import { comesAgain, jsonText } from './json-text.ts';

describe('the text of a document', () => {
  test('property: is that of JSON.stringify, whatever of it is marked', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(5), (document, nth) => {
        const members = Object.values(document).filter((member) => typeof member === 'object' && member !== null);
        const marked = members[nth % Math.max(1, members.length)];
        if (marked) comesAgain(marked);
        expect(jsonText(document)).toBe(JSON.stringify(document));
        expect(jsonText({ deep: { deeper: document, list: [document] } })).toBe(
          JSON.stringify({ deep: { deeper: document, list: [document] } }),
        );
      }),
    );
  });

  it('leaves out what JSON leaves out', () => {
    expect(jsonText({ a: undefined, b: { c: undefined }, d: [undefined], e: null, __proto__: null })).toBe(
      '{"b":{},"d":[null],"e":null}',
    );
    expect(jsonText(JSON.parse('{"__proto__":{"x":1}}'))).toBe('{"__proto__":{"x":1}}');
  });

  it('writes a marked object once', () => {
    let written = 0;
    const part = comesAgain({
      get counted() {
        written += 1;
        return 1;
      },
    });
    expect([jsonText({ part }), jsonText({ other: { part } })]).toEqual([
      '{"part":{"counted":1}}',
      '{"other":{"part":{"counted":1}}}',
    ]);
    expect(written).toBe(1);
  });
});
