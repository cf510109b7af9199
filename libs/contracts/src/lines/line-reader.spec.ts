import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { LineReader, lineText } from './line-reader.ts';

/** The lines that are read from these chunks. */
function read(chunks: readonly Buffer[], maxBytes = 1_000_000) {
  const lines: string[] = [];
  let tooLong = 0;
  const reader = new LineReader(maxBytes, {
    line: (bytes) => lines.push(lineText(bytes)),
    tooLong: () => {
      tooLong += 1;
    },
  });
  for (const chunk of chunks) reader.push(chunk);
  reader.end();
  return { lines, tooLong };
}

/** Splits bytes at the given offsets. */
function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const sorted = [0, ...places.map((place) => place % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  return sorted.slice(1).map((end, index) => bytes.subarray(sorted[index], end));
}

const line = fc.string({ unit: 'binary' }).map((text) => text.toWellFormed().replaceAll(/[\n\r]/g, ' '));

describe('LineReader', () => {
  test('emits the same lines however the chunks are split', () => {
    fc.assert(
      fc.property(fc.array(line), fc.array(fc.nat()), (lines, places) => {
        const bytes = Buffer.from(lines.map((text) => `${text}\n`).join(''));
        expect(read(cut(bytes, places)).lines).toEqual(lines);
      }),
    );
  });

  test('splits only at LF and drops a CR before it', () => {
    expect(read([Buffer.from('a\u2028b\u2029c\u0085d\r\ne\rf\n')]).lines).toEqual(['a\u2028b\u2029c\u0085d', 'e\rf']);
  });

  test('emits the last line without an LF', () => {
    expect(read([Buffer.from('one\ntwo')]).lines).toEqual(['one', 'two']);
  });

  test('reports a line over the limit once, drops the rest of it, and continues after it', () => {
    const chunks = [Buffer.from('ok\n'), Buffer.alloc(8, 'x'), Buffer.from('xxx'), Buffer.from('xxx\nnext\n')];
    expect(read(chunks, 8)).toEqual({ lines: ['ok', 'next'], tooLong: 1 });
  });

  test('reads nothing after it was closed', () => {
    const lines: string[] = [];
    const reader: LineReader = new LineReader(8, {
      line: (bytes) => lines.push(lineText(bytes)),
      tooLong: () => reader.close(),
    });
    reader.push(Buffer.from('ok\nlonger than eight\nnext\n'));
    reader.end();
    expect(lines).toEqual(['ok']);
  });
});
