import { expect, test } from '@jest/globals';
import { tomlDocument } from './toml.ts';

test('writes values of every type, and escapes text', () => {
  expect(tomlDocument({ a: 'x"\n\u007f', b: [1, true], c: { 'd.e': { f: 'g' } } })).toBe(
    '"a" = "x\\"\\n\\u007f"\n"b" = [1, true]\n"c" = { "d.e" = { "f" = "g" } }\n',
  );
});
