import { afterEach, expect, test } from '@jest/globals';
import { questionOf } from '@reins/harness';
import type { ElicitationsOptions, RunServices } from '../index.ts';
import { clientOf, endAll, local, newContext, start } from '../testing/services-fixture.ts';

afterEach(async () => expect(await endAll()).toEqual([]));

async function elicit(services: RunServices) {
  const client = await clientOf(services);
  try {
    return await client.callTool({ name: 'mcp__a__elicit', arguments: {} });
  } finally {
    await client.close();
  }
}

async function startWith(elicitations: ElicitationsOptions | undefined, more = {}): Promise<RunServices> {
  const context = await newContext();
  return start({ mcp_servers: [local('a', 'well', more)] }, { ...context, ...(elicitations && { elicitations }) });
}

test('a question of a server is asked by the result of the call, and answered when its tool is called again', async () => {
  const asked: string[][] = [];
  const options = { asked: (...each: string[]) => asked.push(each) };
  expect(questionOf(await elicit(await startWith(options)))).toBe('Which city?');
  expect(asked).toEqual([['a', 'Which city?']]);
  const answered = { serverId: 'a', message: 'Which city?', answer: 'Oslo' };
  const { content } = await elicit(await startWith({ ...options, answered }));
  expect(content).toMatchObject([{ text: '{"action":"accept","content":{"city":"Oslo"}}' }]);
});

test('a question is cancelled if no one can answer it, and for a shared server', async () => {
  const cancelled = [{ type: 'text', text: '{"action":"cancel"}' }];
  expect((await elicit(await startWith(undefined))).content).toEqual(cancelled);
  const shared = await startWith({ asked: () => undefined }, { isolation: 'workspace' });
  expect((await elicit(shared)).content).toEqual(cancelled);
});
