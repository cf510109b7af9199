import { afterEach, describe, expect, test } from '@jest/globals';
import { call, clientOf, endAll, local, ref, start } from '../testing/services-fixture.ts';

afterEach(async () => expect(await endAll()).toEqual([]));

const idsOf = ({ tools }: { readonly tools: readonly { readonly toolId: string }[] }) =>
  tools.map(({ toolId }) => toolId);

describe('the resources of a server', () => {
  test('are listed and read by two tools of the server, within limits', async () => {
    const services = await start({ mcp_servers: [local('notes', 'resources')] });
    expect(idsOf(services)).toEqual(expect.arrayContaining(['notes.list_resources', 'notes.read_resource']));
    const tools = services.tools.filter(({ toolName }) => toolName.endsWith('_resource'));
    expect(tools).toMatchObject([{ policy: 'inspect', declaration: { annotations: { readOnlyHint: true } } }]);
    const listed = JSON.parse((await call(services, 'mcp__notes__list_resources')).text);
    expect(listed.resources).toHaveLength(200);
    expect(listed.resources[0]).toEqual({
      ...{ uri: 'note://a', name: 'a', mimeType: 'text/plain', size: 5, description: 'x'.repeat(300) },
    });
    expect(listed).toMatchObject({ templates: [{ uriTemplate: 'note://{id}', name: 'notes' }], omitted: 101 });
    const read = (uri: string) => call(services, 'mcp__notes__read_resource', { uri });
    expect(await read('note://a')).toEqual({ text: 'hello', isError: false });
    expect((await read('note://large')).text).toContain('(truncated after 262144 of 1048576 characters)');
    expect(await read('note://none')).toMatchObject({
      isError: true,
      text: expect.stringContaining('no such resource'),
    });
    expect(await call(services, 'mcp__notes__read_resource')).toMatchObject({ isError: true });
    const client = await clientOf(services);
    const { content } = await client.callTool({
      name: 'mcp__notes__read_resource',
      arguments: { uri: 'note://image' },
    });
    expect(content).toEqual([{ type: 'image', data: 'aGVsbG8=', mimeType: 'image/png' }]);
    await client.close();
  });

  test('can be read after the server was restarted', async () => {
    const services = await start({ mcp_servers: [local('notes', 'resources')] });
    await call(services, 'mcp__notes__die');
    expect(await call(services, 'mcp__notes__read_resource', { uri: 'note://a' })).toMatchObject({ text: 'hello' });
  });

  test('belong to a run only if its tools include them', async () => {
    const services = await start({
      mcp_servers: [local('notes', 'resources'), local('plain')],
      mcp_tool_refs: [ref('notes', 'echo'), ref('notes', 'read_resource')],
    });
    const ids = idsOf(services).filter((id) => id.startsWith('notes.') || id.includes('resource'));
    expect(ids).toEqual(['notes.echo', 'notes.read_resource']);
  });

  test('do not hide a tool of the server with the same name', async () => {
    const services = await start({ mcp_servers: [local('notes', 'resources-named')] });
    expect(idsOf(services)).toEqual(['notes.list_resources', 'notes.read_resource']);
    expect((await call(services, 'mcp__notes__list_resources')).text).toBe('did list_resources');
  });
});
