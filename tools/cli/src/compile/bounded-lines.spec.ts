import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { boundedLines } from './bounded-lines.ts';

async function linesOf(chunks: readonly Uint8Array[], maxBytes: number): Promise<(string | null)[]> {
  const lines: (string | null)[] = [];
  const stream = (async function* () {
    yield* chunks;
  })();
  for await (const each of boundedLines(stream, maxBytes))
    lines.push(...each.map((line) => ('bytes' in line ? Buffer.from(line.bytes).toString() : null)));
  return lines;
}

test('property: chunk boundaries do not change the lines, and lines over the limit are dropped', async () => {
  const text = fc.array(fc.stringMatching(/^[ab\n]{0,12}$/), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(text, fc.integer({ min: 1, max: 8 }), async (parts, maxBytes) => {
      const whole = parts.join('');
      const expected = whole.split('\n').map((line) => (line.length > maxBytes ? null : line));
      if (expected.at(-1) === '') expected.pop();
      expect(
        await linesOf(
          parts.map((part) => Buffer.from(part)),
          maxBytes,
        ),
      ).toEqual(expected);
    }),
  );
});
