import { LineReader } from '@reins/contracts';

/** One line of a stream, or `tooLong` for a line over the limit, whose bytes were dropped. */
export type BoundedLine = { readonly bytes: Uint8Array } | { readonly tooLong: true };

/** Splits a stream into lines of up to `maxBytes`, and yields the lines that each chunk completes. */
export async function* boundedLines(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<readonly BoundedLine[]> {
  let lines: BoundedLine[] = [];
  const reader = new LineReader(maxBytes, {
    line: (bytes) => lines.push({ bytes }),
    tooLong: () => lines.push({ tooLong: true }),
  });
  for await (const chunk of chunks) {
    reader.push(chunk);
    if (lines.length > 0) yield lines;
    lines = [];
  }
  reader.end();
  if (lines.length > 0) yield lines;
}
