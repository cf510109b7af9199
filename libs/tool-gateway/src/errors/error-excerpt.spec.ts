import { describe, expect, test } from '@jest/globals';
import { errorExcerpt, withoutHostPaths } from './error-excerpt.ts';

const FOLDERS = {
  trees: ['/tmp/reins-run-1/work', '/tmp/reins-run-1/services/apps'],
  homeDir: '/tmp/reins-run-1/home',
};
const frames = (count: number): string =>
  Array.from({ length: count }, (_, at) => `    at Module._load (node:internal/modules/cjs/loader:${at}:5)`).join('\n');

describe('errorExcerpt', () => {
  test.each([
    [
      'Node.js, a missing module',
      `node:internal/modules/cjs/loader:1568\n  throw err;\n  ^\n\nError: Cannot find module './gone'\nRequire stack:\n- /tmp/reins-run-1/work/c.cjs\n${frames(10)} {\n  code: 'MODULE_NOT_FOUND',\n  requireStack: []\n}\n\nNode.js v24.21.0\n`,
      "Error: Cannot find module './gone'",
    ],
    [
      'Node.js, a missing ES module',
      `node:internal/modules/esm/resolve:272\n    throw new ERR_MODULE_NOT_FOUND(\n          ^\n\nError [ERR_MODULE_NOT_FOUND]: Cannot find module '/tmp/reins-run-1/work/a/nope.mjs' imported from /tmp/reins-run-1/work/a/b.mjs\n${frames(9)}`,
      "Error [ERR_MODULE_NOT_FOUND]: Cannot find module 'a/nope.mjs' imported from a/b.mjs",
    ],
    [
      'Node.js, a syntax error with its location',
      `file:///tmp/reins-run-1/services/apps/link.mjs:1\nimport { wrd } from './b.mjs';\n         ^^^\nSyntaxError: The requested module './b.mjs' does not provide an export named 'wrd'\n${frames(3)}\n`,
      "SyntaxError: The requested module './b.mjs' does not provide an export named 'wrd' (link.mjs:1)",
    ],
    [
      'Python',
      'Traceback (most recent call last):\n  File "/tmp/reins-run-1/work/s.py", line 1, in <module>\n    import absent\nModuleNotFoundError: No module named \'absent\'\n',
      "ModuleNotFoundError: No module named 'absent'",
    ],
    ['a log line', 'starting\n[12:00] ERROR the port is taken\nbye', '[12:00] ERROR the port is taken\nbye'],
    [
      'no error at all',
      'reading /tmp/reins-run-1/home/.rc\nthe license is missing\n',
      'reading ~/.rc\nthe license is missing',
    ],
    ['an empty output', ' \n', ''],
  ])('%s', (_, output, excerpt) => expect(errorExcerpt(output, FOLDERS)).toBe(excerpt));

  test('is limited to whole lines, or whole words of one long line', () => {
    const lines = Array.from({ length: 100 }, (_, at) => `line ${at} of the output`);
    const excerpt = errorExcerpt(lines.join('\n'), FOLDERS).split('\n');
    expect(excerpt.at(-1)).toBe('line 99 of the output');
    expect(excerpt.every((line) => lines.includes(line))).toBe(true);
    expect(excerpt.join('\n').length).toBeLessThanOrEqual(300);
    expect(errorExcerpt(`Error: ${'word '.repeat(200)}`, FOLDERS)).toMatch(/^Error: (word )+…$/);
    expect(errorExcerpt(`Error: ${'word '.repeat(200)}`, FOLDERS).length).toBeLessThan(310);
  });

  test('replaces the paths of the run and keeps other paths', () => {
    const text =
      '/tmp/reins-run-1/work: /tmp/reins-run-1/work2/a, file:///tmp/reins-run-1/work/b.ts, /tmp/reins-run-1/home';
    expect(withoutHostPaths(text, FOLDERS)).toBe('.: /tmp/reins-run-1/work2/a, b.ts, ~');
  });
});
