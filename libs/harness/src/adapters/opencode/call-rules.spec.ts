import { expect, test } from '@jest/globals';
import { refusalOf } from './call-rules.ts';

const ALL = { tools: ['read', 'bash', 'write', 'apply_patch', 'reins_echo'], isConfined: true };
const FOLDERS = ['/srv/work', '/srv/home/tmp'] as const;
const patch = (line: string) => ({ patchText: `*** Begin Patch\n${line}\n+x\n*** End Patch` });

test.each([
  ['read', { filePath: '/srv/other/secret.txt' }],
  ['write', { filePath: '../note.txt', content: '' }],
  ['bash', { command: 'cat ../secret.txt' }],
  ['bash', { command: 'ls', workdir: '/srv/other' }],
  ['apply_patch', patch('*** Add File: ../note.txt')],
  ['apply_patch', patch('*** Update File: a.txt\n*** Move to: /srv/other/a.txt')],
])('%s with %j is outside of the folders of the run', (tool, args) => {
  expect(refusalOf(tool, args, ALL, FOLDERS)).toContain('workspace boundary policy');
  expect(refusalOf(tool, args, { ...ALL, isConfined: false }, FOLDERS)).toBeUndefined();
});

test.each([
  ['read', { filePath: '/srv/work/a.txt' }],
  ['write', { filePath: 'note.txt', content: '/etc/passwd' }],
  ['bash', { command: 'ls > list.txt', workdir: '/srv/work/src' }],
  ['apply_patch', patch('*** Add File: src/note.txt')],
  ['reins_echo', { path: '/srv/other' }],
])('%s with %j may run', (tool, args) => {
  expect(refusalOf(tool, args, ALL, FOLDERS)).toBeUndefined();
});

test('a tool that the run does not have is refused', () => {
  expect(refusalOf('webfetch', { url: 'http://example.com' }, ALL, FOLDERS)).toContain('tool_not_allowed');
});
