import { expect, test } from '@jest/globals';
import type { JsonObject } from '@reins/contracts';
import { answerOf, questionTextOf } from './elicitation.ts';

const asking = (properties: JsonObject) => ({ message: 'Which?', schema: { type: 'object', properties } });
const CITY = asking({ city: { type: 'string', description: 'The city' } });
const TWO = asking({ city: { type: 'string', description: 'The city' }, days: { type: 'integer' } });

test.each([
  [CITY, 'Oslo', { city: 'Oslo' }],
  [CITY, '{"city":"Oslo"}', { city: 'Oslo' }],
  [CITY, { city: 'Oslo' }, { city: 'Oslo' }],
  [asking({ days: { type: 'integer' } }), ' 3 ', { days: 3 }],
  [asking({ sure: { type: 'boolean' } }), 'Yes', { sure: true }],
  [TWO, '{"city":"Oslo","days":3}', { city: 'Oslo', days: 3 }],
])('%j is answered by %j', (elicitation, answer, content) => {
  expect(answerOf(elicitation, answer)).toEqual({ action: 'accept', content });
});

test.each([
  [TWO, 'Oslo, three days'],
  [asking({ days: { type: 'integer' } }), 'three'],
  [asking({ sure: { type: 'boolean' } }), 'perhaps'],
  [CITY, '{"town":"Oslo"}'],
  [asking({}), 'Oslo'],
])('%j is not answered by %j', (elicitation, answer) => expect(answerOf(elicitation, answer)).toBeUndefined());

test('a question with several fields names them', () => {
  expect(questionTextOf(CITY)).toBe('Which?');
  expect(questionTextOf(TWO)).toBe('Which?\nAnswer with a JSON object with these fields:\n- city: The city\n- days');
});
