import { describe, expect, test } from '@jest/globals';
import { expensiveShape } from './json-shape.ts';

const shapeOf = (text: string) => expensiveShape(Buffer.from(text));

describe('expensiveShape', () => {
  test.each([
    ['a conversation', JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hi, [you] {there}: "x"' }] })],
    ['brackets in a text', JSON.stringify({ a: '[{'.repeat(100_000) })],
    ['separators in a text', JSON.stringify({ a: ',:'.repeat(1_000_000) })],
    ['escaped quotes and backslashes', JSON.stringify({ a: `\\${'"[\\'.repeat(100_000)}` })],
    ['500 levels', '['.repeat(500) + ']'.repeat(500)],
    ['a text that does not end', `{"a": "${'['.repeat(1000)}`],
    ['nothing', ''],
  ])('accepts %s', (_what, text) => expect(shapeOf(text)).toBeUndefined());

  test.each([
    ['depth', '['.repeat(501)],
    ['depth', '{"a":'.repeat(501)],
    ['depth', `["\\\\",${'['.repeat(501)}`],
    ['values', `[${'{},'.repeat(300_000)}{}]`],
    ['values', `[${'1,'.repeat(500_000)}1]`],
  ])('refuses too much %s', (shape, text) => expect(shapeOf(text)).toBe(shape));
});
