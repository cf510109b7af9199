import { expect, test } from '@jest/globals';
import { inputLineField } from './input-line.ts';

test.each([
  ['Write hello.txt\nwith a greeting', 'Write hello.txt'],
  [{ input: 'Write it', attachments: [] }, 'Write it'],
  [{ target: 'web' }, '{"target":"web"}'],
  [{ b: 1, a: 2 }, '{"a":2,"b":1}'],
  [7, '7'],
  ['x'.repeat(200), `${'x'.repeat(119)}…`],
  ['😀'.repeat(121), `${'😀'.repeat(119)}…`],
])('the line of %j', (inputs, inputLine) => {
  expect(inputLineField(inputs)).toEqual({ inputLine });
});

test.each([[null], [''], ['\n']])('%j has no line', (inputs) => {
  expect(inputLineField(inputs)).toEqual({});
});

test('the line does not depend on the order of keys, which the stored journal changes', () => {
  expect(inputLineField({ input: { b: 1, a: { d: 2, c: 3 } } })).toEqual(
    inputLineField({ input: { a: { c: 3, d: 2 }, b: 1 } }),
  );
});

test('an input that the journal stores by reference has no line, so that the fact does not depend on it', () => {
  expect(inputLineField('x'.repeat(70_000))).toEqual({});
});
