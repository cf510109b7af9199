import { expect, test } from '@jest/globals';
import type { JsonValue } from '@reins/contracts';
import fc from 'fast-check';
import { jsonText, storableText } from './json-text.ts';

test('replaces characters that Postgres cannot store in keys and values', () => {
  expect(jsonText({ 'a\0': ['\0b', '\ud800'], c: 'fine \u00e9' })).toBe(
    '{"a\ufffd":["\ufffdb","\ufffd"],"c":"fine \u00e9"}',
  );
  expect(storableText('x\0\udfff')).toBe('x\ufffd\ufffd');
});

test('changes nothing else', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(JSON.parse(jsonText(value as JsonValue))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});
