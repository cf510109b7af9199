import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { LineFramer } from './line-framer.ts';

/** The lines that a framer emits for these chunks. */
function framed(chunks: readonly Buffer[], maxBytes = 1_000_000) {
  const lines: string[] = [];
  let tooLong = 0;
  const framer = new LineFramer(
    maxBytes,
    (line) => lines.push(line),
    () => {
      tooLong += 1;
    },
  );
  for (const chunk of chunks) framer.push(chunk);
  framer.end();
  return { lines, tooLong };
}

/** Splits bytes at the given offsets. */
function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const sorted = [0, ...places.map((place) => place % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  return sorted.slice(1).map((end, index) => bytes.subarray(sorted[index], end));
}

const line = fc.string({ unit: 'binary' }).map((text) => text.toWellFormed().replaceAll(/[\n\r]/g, ' '));

describe('LineFramer', () => {
  test('emits the same lines however the chunks are split', () => {
    fc.assert(
      fc.property(fc.array(line), fc.array(fc.nat()), (lines, places) => {
        const bytes = Buffer.from(lines.map((text) => `${text}\n`).join(''));
        expect(framed(cut(bytes, places)).lines).toEqual(lines);
      }),
    );
  });

  test('splits only at LF and drops a CR before it', () => {
    expect(framed([Buffer.from('a\u2028b\u2029c\u0085d\r\ne\rf\n')]).lines).toEqual(['a\u2028b\u2029c\u0085d', 'e\rf']);
  });

  test('emits the last line without an LF', () => {
    expect(framed([Buffer.from('one\ntwo')]).lines).toEqual(['one', 'two']);
  });

  test('reports a line over the limit once and emits nothing after it', () => {
    expect(framed([Buffer.from('ok\n'), Buffer.alloc(8, 'x'), Buffer.from('xxx\nnext\n')], 8)).toEqual({
      lines: ['ok'],
      tooLong: 1,
    });
  });
});
