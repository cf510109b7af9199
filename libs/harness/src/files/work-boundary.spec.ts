import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { tempDir } from '@reins/testing';
import { type AllowedFolders, boundaryViolation } from './work-boundary.ts';

describe('work in the folder of a run', () => {
  let folders: AllowedFolders;
  beforeAll(async () => {
    const [work, temporary] = [await tempDir('work'), await tempDir('tmp')];
    mkdirSync(join(work, 'src'));
    writeFileSync(join(work, 'README.md'), 'hi');
    symlinkSync('/etc', join(work, 'link'));
    folders = [work, temporary];
  });
  const violation = (tool: string, input: object): string | undefined => boundaryViolation({ tool, input }, folders);

  test.each([
    '../outside.txt',
    '/etc/passwd',
    '~/.ssh/id_rsa',
    'src/../../x',
    'link/passwd',
    'link/new/file',
    '@../x',
    'file:///etc/passwd',
    'file://elsewhere/x',
    '..',
  ])('a file tool cannot access %s', (path) => {
    for (const tool of ['read', 'write', 'edit', 'ls', 'grep', 'find'])
      expect(violation(tool, { path })).toContain('is outside');
  });

  test.each(['README.md', './README.md', 'src/../README.md', '..foo/x.yaml', 'new/folder/file', '.'])(
    'a file tool can access %s',
    (path) => expect(violation('read', { path })).toBeUndefined(),
  );

  test('a file tool can access absolute paths in its folders', () => {
    for (const folder of folders) expect(violation('write', { path: join(folder, 'a.txt') })).toBeUndefined();
  });

  test.each([
    'cd ../other && ls',
    'git -C ../other log',
    'git -C../other log; cat /etc/passwd',
    'cat /etc/passwd',
    'echo x > ../x',
    'echo x >/usr/bin/env',
    'cp a "/root/b c"',
    'tool --file=/etc/hosts',
    'X=~/x tool',
    'cat $HOME/x',
    'cd src && cat ../../x',
    'cat link/passwd',
    "cat '../x'",
  ])('a command cannot: %s', (command) => expect(violation('bash', { command })).toContain('is outside'));

  test.each([
    'ls -la 2>/dev/null',
    '/usr/bin/env node x.mjs',
    'cd src && cat ../README.md',
    "sed 's/a/b/' README.md",
    "grep -E '/v1/users' src",
    'curl https://example.org/a/../b',
    'cat < README.md | wc -l; echo "see /etc/hosts for more"',
    'echo $PWD/x && cd - && true',
    'npm test -- --watch=false',
  ])('a command can: %s', (command) => expect(violation('bash', { command })).toBeUndefined());

  test('ignores served tools, which their servers check', () => {
    expect(violation('mcp__files__read', { path: '../x' })).toBeUndefined();
  });

  test('never throws, whatever the input', () => {
    for (const command of [
      '',
      '"',
      "'",
      '\\',
      '$(',
      '>',
      '>>',
      'cd',
      '; ; ;',
      '\0',
      'a'.repeat(100_000),
      '"'.repeat(9999),
    ])
      expect(() => violation('bash', { command })).not.toThrow();
    for (const input of [null, 'x', 7, [], { path: 7 }, { edits: [{ path: 'x' }] }])
      expect(() => boundaryViolation({ tool: 'edit', input }, folders)).not.toThrow();
  });
});
