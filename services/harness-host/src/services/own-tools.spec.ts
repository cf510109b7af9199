import { expect, test } from '@jest/globals';
import type { JsonValue } from '@reins/contracts';
import type { HostRequest } from '@reins/runtime-config';
import { OwnTools } from './own-tools.ts';

const request = { tools: { question: true }, gated_tools: [], granted_tools: [], skills: [] } as unknown as HostRequest;

const created = (state: JsonValue | undefined, resumedWith: JsonValue | undefined) =>
  OwnTools.create({ request, readFile: async () => '', state, resumedWith });

test('the answers to the questions of one call are kept until it completes', async () => {
  const first = await created(undefined, undefined);
  expect(first.answered).toEqual([]);
  first.asked('a', 'Which city?');
  const second = await created(first.state, 'Oslo');
  expect(second.answered).toEqual([{ serverId: 'a', message: 'Which city?', answer: 'Oslo' }]);
  second.asked('a', 'Which day?');
  const third = await created(second.state, { day: 'Monday' });
  expect(third.answered).toEqual([
    { serverId: 'a', message: 'Which city?', answer: 'Oslo' },
    { serverId: 'a', message: 'Which day?', answer: { day: 'Monday' } },
  ]);
  third.completed('b');
  expect(third.answered).toHaveLength(2);
  third.completed('a');
  expect(third.answered).toEqual([]);
  expect(third.state).not.toHaveProperty('answered');
});

test('another request of the session gets no answers', async () => {
  const first = await created(undefined, undefined);
  first.asked('a', 'Which city?');
  expect((await created(first.state, undefined)).answered).toEqual([]);
});

test('answers of the user are decisions, and questions without an answer stay open', async () => {
  const first = await created(undefined, undefined);
  first.suspendedWith('Which colour?');
  expect(first.openQuestions).toEqual(['Which colour?']);
  const second = await created(first.state, 'blue');
  expect(second).toMatchObject({
    decisions: ['The user was asked: Which colour? The answer: blue'],
    openQuestions: [],
  });
  second.suspendedWith('Which size?');
  const next = await created(second.state, undefined);
  expect(next).toMatchObject({ decisions: [expect.stringContaining('blue')], openQuestions: ['Which size?'] });
});
