import { afterEach, describe, expect, test } from '@jest/globals';
import { call, clientOf, endAll, local, ref, start } from '../testing/services-fixture.ts';

afterEach(async () => expect(await endAll()).toEqual([]));

describe('the prompts of a server', () => {
  test('are listed and returned by two tools of the server, within limits', async () => {
    const services = await start({ mcp_servers: [local('notes', 'prompts')] });
    expect(services.tools.map(({ toolId }) => toolId)).toEqual(
      expect.arrayContaining(['notes.list_prompts', 'notes.get_prompt']),
    );
    const tools = services.tools.filter(({ toolName }) => toolName.endsWith('_prompt'));
    expect(tools).toMatchObject([{ policy: 'inspect', declaration: { annotations: { readOnlyHint: true } } }]);
    const listed = JSON.parse((await call(services, 'mcp__notes__list_prompts')).text);
    expect(listed.prompts).toHaveLength(200);
    const [argument] = listed.prompts[0].arguments;
    expect([listed.prompts[0].description, argument.description].map((text) => text.length)).toEqual([300, 300]);
    expect(listed.omitted).toBe(100);
    const get = (name: string) => call(services, 'mcp__notes__get_prompt', { name, arguments: { topic: 'whales' } });
    expect(await get('prompt1')).toEqual({ text: 'user: Write about whales.', isError: false });
    expect(await get('none')).toMatchObject({ isError: true, text: expect.stringContaining('no such prompt') });
    expect(await call(services, 'mcp__notes__get_prompt')).toMatchObject({ isError: true });
    const client = await clientOf(services);
    const { content } = await client.callTool({ name: 'mcp__notes__get_prompt', arguments: { name: 'prompt0' } });
    await client.close();
    expect(content).toHaveLength(101);
    expect(content.at(-1)).toEqual({ type: 'text', text: expect.stringContaining('omitted') });
  });

  test('are not offered by a server without prompts, nor if the run may not use them', async () => {
    const offered = async (mode: string, refs: readonly ReturnType<typeof ref>[]) =>
      (await start({ mcp_servers: [local('notes', mode)], mcp_tool_refs: refs })).tools.map(({ toolName }) => toolName);
    expect(await offered('well', [])).not.toContain('get_prompt');
    expect(await offered('prompts', [ref('notes', 'echo')])).toEqual(['echo']);
    expect(await offered('prompts', [ref('notes', 'get_prompt')])).toEqual(['get_prompt']);
  });
});
