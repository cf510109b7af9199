import { expect, test } from '@jest/globals';
import type { HarnessRun } from '../../contract.ts';
import { refusalOf } from './call-rules.ts';

const runOf = (changes: Partial<HarnessRun> = {}) =>
  ({
    workDir: '/srv/work',
    homeDir: '/srv/home',
    mcpServers: [
      { serverId: 'a', url: '', headers: {}, tools: [{ name: 'files.read', description: '', parameters: {} }] },
    ],
    ...changes,
  }) as unknown as HarnessRun;

test.each([
  ['Write', { file_path: '/srv/work/a.txt', content: 'x' }],
  ['Grep', { pattern: 'x' }],
  ['Bash', { command: 'ls > /srv/home/tmp/list' }],
  ['mcp__reins__files_read', { path: '/etc/passwd' }],
])('%s %j may run', (tool, args) => {
  expect(refusalOf(runOf(), tool, args)).toBeUndefined();
});

test.each([
  ['Read', { file_path: '/etc/passwd' }],
  ['Edit', { file_path: '../x' }],
  ['Glob', { pattern: '*', path: '/root' }],
  ['Bash', { command: 'cat ../secret' }],
])('%s %j is refused', (tool, args) => {
  expect(refusalOf(runOf(), tool, args)).toContain('outside the working directory');
  expect(refusalOf(runOf({ allowOutsideWorkDir: true }), tool, args)).toBeUndefined();
});

test('a tool that the run does not have is refused', () => {
  expect(refusalOf(runOf(), 'WebFetch', { url: 'http://x' })).toContain('WebFetch');
  expect(refusalOf(runOf({ tools: ['read'] }), 'Bash', { command: 'ls' })).toContain('Bash');
});
