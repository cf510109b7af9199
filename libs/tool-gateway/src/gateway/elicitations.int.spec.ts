import { afterEach, expect, test } from '@jest/globals';
import { questionOf } from '@reins/harness';
import type { AnsweredElicitation, ElicitationsOptions, RunServices } from '../index.ts';
import { call, clientOf, endAll, local, newContext, start } from '../testing/services-fixture.ts';

afterEach(async () => expect(await endAll()).toEqual([]));

const CITY = { serverId: 'a', message: 'Which city?' };

async function elicit(services: RunServices, tool = 'elicit') {
  const client = await clientOf(services);
  try {
    return await client.callTool({ name: `mcp__a__${tool}`, arguments: {} });
  } finally {
    await client.close();
  }
}

/** The questions of a stage that continues with these answers. */
function stageWith(answered: AnsweredElicitation[] = []) {
  const asked: string[] = [];
  const options: ElicitationsOptions = {
    answered,
    asked: (serverId, message) => asked.push(`${serverId}: ${message}`),
    completed: () => answered.splice(0),
  };
  return { asked, options };
}

async function startWith(elicitations: ElicitationsOptions | undefined, mode = 'well', more = {}) {
  const context = await newContext();
  return start({ mcp_servers: [local('a', mode, more)] }, { ...context, ...(elicitations && { elicitations }) });
}

const textOf = ({ content }: { readonly content: readonly unknown[] }): string =>
  (content[0] as { readonly text: string }).text;

// A server of the newest revision asks by its result (`input_required`), the others by a request.
test.each(['well', 'newest'])(
  'a question of a server is asked by the result of the call, and answered when its tool is called again: %s',
  async (mode) => {
    const { asked, options } = stageWith();
    const result = await elicit(await startWith(options, mode));
    expect(questionOf(result)).toBe('Which city?\nAnswer "decline" to refuse.');
    expect(asked).toEqual(['a: Which city?']);
    const answered = await startWith(stageWith([{ ...CITY, answer: 'Oslo' }]).options, mode);
    expect(textOf(await elicit(answered))).toBe('{"action":"accept","content":{"city":"Oslo"}}');
  },
);

test('an answer is for one call, so the next call asks again', async () => {
  const { asked, options } = stageWith([{ ...CITY, answer: 'Oslo' }]);
  const services = await startWith(options);
  expect(textOf(await elicit(services))).toContain('Oslo');
  expect(questionOf(await elicit(services))).toContain('Which city?');
  expect(asked).toEqual(['a: Which city?']);
});

test('a call that asks two questions gets both answers', async () => {
  const city = { ...CITY, answer: 'Oslo' };
  const first = stageWith([city]);
  expect(questionOf(await elicit(await startWith(first.options), 'elicit_twice'))).toContain('Which day?');
  expect(first.asked).toEqual(['a: Which day?']);
  const second = stageWith([city, { ...CITY, message: 'Which day?', answer: 'Monday' }]);
  expect(textOf(await elicit(await startWith(second.options), 'elicit_twice'))).toContain('Monday');
  expect(second.asked).toEqual([]);
});

test('a user can refuse', async () => {
  const services = await startWith(stageWith([{ ...CITY, answer: 'Decline' }]).options);
  expect(textOf(await elicit(services))).toBe('{"action":"decline"}');
});

test('a question is declined if no one can answer it, and for a shared server', async () => {
  expect(textOf(await elicit(await startWith(undefined)))).toBe('{"action":"decline"}');
  expect(textOf(await elicit(await startWith(undefined, 'newest')))).toBe('{"action":"decline"}');
  const shared = await startWith(stageWith().options, 'well', { isolation: 'workspace' });
  expect(textOf(await elicit(shared))).toBe('{"action":"decline"}');
});

test('a request to open a page is refused with a reason', async () => {
  const services = await startWith(stageWith().options);
  expect((await call(services, 'mcp__a__elicit_url')).text).toContain('does not support URL-mode elicitation');
});
