import { expect, test } from '@jest/globals';
import type { JsonValue } from '@reins/contracts';
import { inputFields } from './input-fields.ts';

const fieldsOf = (inputs: JsonValue, id = 'pipeline') => inputFields({ inputs, process: { id, codeHash: '' } });

test.each([
  ['Write hello.txt\nwith a greeting', 'Write hello.txt'],
  [{ input: 'Write it', attachments: [] }, 'Write it'],
  [{ target: 'web' }, '{"target":"web"}'],
  [{ b: 1, a: 2 }, '{"a":2,"b":1}'],
  [7, '7'],
  ['x'.repeat(200), `${'x'.repeat(119)}…`],
  ['😀'.repeat(121), `${'😀'.repeat(119)}…`],
])('the line of %j', (inputs, inputLine) => {
  expect(fieldsOf(inputs)).toMatchObject({ inputLine });
});

test.each([[null], [''], ['\n']])('%j has no line', (inputs) => {
  expect(fieldsOf(inputs)).not.toHaveProperty('inputLine');
});

test('the line does not depend on the order of keys, which the stored journal changes', () => {
  expect(fieldsOf({ input: { b: 1, a: { d: 2, c: 3 } } })).toEqual(fieldsOf({ input: { a: { c: 3, d: 2 }, b: 1 } }));
});

test('an input that the journal stores by reference has no line, so that the fact does not depend on it', () => {
  expect(fieldsOf('x'.repeat(70_000))).toEqual({});
});

test.each([
  ['pipeline', { input: { task: 'Write it' }, attachments: [] }, { task: 'Write it' }],
  ['process/main.ts#process', { input: 'x', city: 'Oslo' }, { input: 'x', city: 'Oslo' }],
])('the input of a run of %s is what was submitted', (id, inputs, input) => {
  expect(fieldsOf(inputs, id)).toMatchObject({ input });
});
