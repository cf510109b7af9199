import { expect, test } from '@jest/globals';
import { opencodeTools, ownToolName, toolPermissions } from './tools.ts';

test.each([
  [undefined, 'some-model', ['read', 'bash', 'edit'], ['read', 'bash', 'edit', 'write']],
  [[], 'some-model', [], []],
  [['write'], 'some-model', ['edit'], ['edit', 'write']],
  [['edit', 'unknown'], 'gpt-5.4', ['edit'], ['apply_patch']],
  [['bash', 'write'], 'gpt-4o', ['bash', 'edit'], ['bash', 'edit', 'write']],
])('a request for %j offers %s the tools of the permissions %j', (tools, modelId, permissions, offered) => {
  const run = { modelId, ...(tools && { tools }) };
  expect(toolPermissions(run)).toEqual(permissions);
  expect(opencodeTools(run)).toEqual(offered);
});

test('a tool of a server has its own name in signals', () => {
  const server = (name: string) => ({
    serverId: 'a',
    url: '',
    headers: {},
    tools: [{ name, description: '', parameters: {} }],
  });
  const run = { mcpServers: [server('mcp__fixture__echo'), server('files.read')] };
  expect(ownToolName(run, 'reins_mcp__fixture__echo')).toBe('mcp__fixture__echo');
  expect(ownToolName(run, 'reins2_files_read')).toBe('files.read');
  expect(ownToolName(run, 'bash')).toBe('bash');
});
