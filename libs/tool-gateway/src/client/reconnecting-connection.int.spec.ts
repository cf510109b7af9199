import { afterEach, describe, expect, test } from '@jest/globals';
import type { RunServices } from '../run-services.ts';
import { call, clientOf, endAll, local, processes, start } from '../testing/services-fixture.ts';

afterEach(async () => expect(await endAll()).toEqual([]));

/** Returns the content of a call of `echo`. */
async function echo(services: RunServices, text: string): Promise<readonly string[]> {
  const client = await clientOf(services);
  const { content } = await client.callTool({ name: 'mcp__a__echo', arguments: { text } });
  await client.close();
  return content.map((part) => (part.type === 'text' ? part.text : part.type));
}

const NOTE = expect.stringContaining('was restarted');

describe('a local server that exits during the run', () => {
  test('is restarted for the next call, whose result contains a note', async () => {
    const services = await start({ mcp_servers: [local('a')] });
    const died = await call(services, 'mcp__a__die');
    expect(died).toMatchObject({
      isError: true,
      text: expect.stringContaining('the outcome of the call is unknown'),
    });
    expect(services.unavailable).toMatchObject([{ serverId: 'a', reason: expect.stringContaining('exited (code 1)') }]);
    const answers = await Promise.all([echo(services, 'x'), echo(services, 'y')]);
    expect(answers.map(([text]) => text)).toEqual(['echo: x', 'echo: y']);
    expect(answers.flat()).toContainEqual(NOTE);
    expect(await echo(services, 'z')).toEqual(['echo: z']);
    // Both calls waited for the same restart, so there is one server. A sandbox has processes with its token, too.
    expect(new Set((await processes()).map(({ token }) => token)).size).toBe(1);
    expect(services.unavailable).toEqual([]);
  });

  test('is unavailable after three restarts', async () => {
    const services = await start({ mcp_servers: [local('a')] });
    for (let times = 0; times < 4; times += 1) await call(services, 'mcp__a__die');
    expect(await call(services, 'mcp__a__echo', { text: 'x' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('no longer available'),
    });
    expect(await processes()).toEqual([]);
    expect(services.unavailable).toMatchObject([
      { serverId: 'a', reason: expect.stringContaining('restarted 3 times') },
    ]);
  });

  test('is unavailable with a reason when the restart fails', async () => {
    const services = await start({ mcp_servers: [local('a', 'once')] });
    await call(services, 'mcp__a__die');
    const answer = await call(services, 'mcp__a__echo', { text: 'x' });
    expect(answer).toMatchObject({ isError: true, text: expect.stringContaining('the license file is missing') });
    expect(services.unavailable).toMatchObject([
      { serverId: 'a', reason: expect.stringContaining('the license file is missing') },
    ]);
  });

  test('is not restarted for a run that ends', async () => {
    const services = await start({ mcp_servers: [local('a')] });
    for (let times = 0; times < 2; times += 1) await call(services, 'mcp__a__die');
    const waiting = call(services, 'mcp__a__echo', { text: 'x' });
    await services.close();
    await expect(waiting.catch(() => ({ isError: true }))).resolves.toMatchObject({ isError: true });
    expect(await processes()).toEqual([]);
  });
});
