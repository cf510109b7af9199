import { expect, test } from '@jest/globals';
import type { HarnessRun } from '../../contract.ts';
import { refusalOf } from './call-rules.ts';

const SERVER = {
  serverId: 'a',
  url: '',
  headers: {},
  tools: [{ name: 'mcp__files__read', description: '', parameters: {} }],
};
const runOf = (changes: Partial<HarnessRun> = {}) =>
  ({ workDir: '/srv/work', homeDir: '/srv/home', mcpServers: [SERVER], ...changes }) as unknown as HarnessRun;

test.each([
  ['write_file', { path: 'a/b.txt', content: 'x' }],
  ['write_file', { path: '/srv/work/a.txt' }],
  ['patch', { mode: 'replace', path: 'a.txt', old_string: 'a', new_string: 'b' }],
  ['patch', { mode: 'patch', patch: '*** Begin Patch\n*** Update File: a.txt\n@@\n*** End Patch' }],
  ['search_files', { pattern: 'x' }],
  ['terminal', { command: 'ls > /srv/home/tmp/list' }],
  ['mcp__reins__mcp__files__read', { path: '/etc/passwd' }],
])('%s %j may run', (tool, args) => {
  expect(refusalOf(runOf(), tool, args)).toBeUndefined();
});

test.each([
  ['read_file', { path: '/etc/passwd' }, 'outside the working directory'],
  ['write_file', { path: '../x' }, 'outside the working directory'],
  ['patch', { mode: 'patch', patch: '*** Add File: /etc/x\n+x' }, 'outside the working directory'],
  ['search_files', { pattern: 'x', path: '/root' }, 'outside the working directory'],
  ['terminal', { command: 'cat ../secret' }, 'outside the working directory'],
  ['terminal', { command: 'ls', workdir: '/root' }, 'outside the working directory'],
  ['web_search', { query: 'x' }, 'web_search'],
])('%s %j is refused', (tool, args, why) => {
  expect(refusalOf(runOf(), tool, args)).toContain(why);
});

test('a run can have fewer tools, and may be allowed to use other paths', () => {
  expect(refusalOf(runOf({ tools: ['read'] }), 'terminal', { command: 'ls' })).toContain('terminal');
  const open = runOf({ tools: ['read'], allowOutsideWorkDir: true });
  expect(refusalOf(open, 'read_file', { path: '/etc/passwd' })).toBeUndefined();
});
