import { expect, test } from '@jest/globals';
import { boundedOutput } from './tool-output.ts';

function collected(texts: readonly string[]): string[] {
  const found: string[] = [];
  const accept = boundedOutput('workspace.x', (toolId, text) => found.push(`${toolId} ${text}`));
  for (const text of texts) accept(text);
  return found;
}

test('passes text on without control characters, and omits blank text', () => {
  expect(collected(['a\tb\n', '\n', '\u001b[31mred\u001b[0m'])).toEqual([
    'workspace.x a\tb\n',
    'workspace.x [31mred[0m',
  ]);
});

test.each([
  ['characters', ['x'.repeat(20_000), 'x'.repeat(20_000), 'more']],
  ['messages', Array.from({ length: 500 }, () => 'x')],
])('limits the number of %s, and says so once', (_, texts) => {
  const found = collected(texts);
  expect(found.length).toBeLessThanOrEqual(200);
  expect(found.join('').length).toBeLessThan(40_000);
  expect(found.filter((text) => text.includes('more output was omitted'))).toHaveLength(1);
  expect(found.at(-1)).toContain('more output was omitted');
});
