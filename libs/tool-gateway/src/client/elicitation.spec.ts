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
  const refusal = 'Answer "decline" to refuse.';
  expect(questionTextOf(CITY)).toBe(`Which?\n${refusal}`);
  const fields = 'Answer with a JSON object with these fields:\n- city: The city\n- days';
  expect(questionTextOf(TWO)).toBe(`Which?\n${fields}\n${refusal}`);
});

test('a question is limited in length', () => {
  const fields = Object.fromEntries(
    Array.from({ length: 500 }, (_, nth) => [`field${nth}`, { type: 'string', description: 'x'.repeat(10_000) }]),
  );
  const { schema } = asking(fields);
  expect(questionTextOf({ message: 'x'.repeat(100_000), schema }).length).toBeLessThan(32_000);
});

test('a user can refuse to answer', () => {
  expect(answerOf(TWO, ' Decline\n')).toEqual({ action: 'decline' });
});
