/** One line of a stream, or `tooLong` for a line over the limit, whose bytes were dropped. */
export type BoundedLine = { readonly bytes: Uint8Array } | { readonly tooLong: true };

const NEWLINE = 0x0a;

/**
 * Splits a stream into lines and yields the lines that each chunk completes. Buffers at most one line of up to `maxBytes`; the rest of a
 * longer line is dropped.
 */
export async function* boundedLines(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<readonly BoundedLine[]> {
  const open = new OpenLine(maxBytes);
  for await (const chunk of chunks) {
    const lines: BoundedLine[] = [];
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      open.add(chunk.subarray(start, end));
      lines.push(open.end());
      start = end + 1;
    }
    open.add(chunk.subarray(start));
    if (lines.length > 0) yield lines;
  }
  if (!open.empty) yield [open.end()];
}

/** Collects the parts of the current line. */
class OpenLine {
  readonly #maxBytes: number;
  #parts: Uint8Array[] = [];
  #length = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get empty(): boolean {
    return this.#length === 0;
  }

  add(part: Uint8Array): void {
    this.#length += part.length;
    if (this.#length > this.#maxBytes) this.#parts = [];
    else if (part.length > 0) this.#parts.push(part);
  }

  end(): BoundedLine {
    const line: BoundedLine = this.#length > this.#maxBytes ? { tooLong: true } : { bytes: joined(this.#parts) };
    this.#parts = [];
    this.#length = 0;
    return line;
  }
}

/** Joins the parts. A line within one chunk is not copied. */
function joined(parts: readonly Uint8Array[]): Uint8Array {
  const [only] = parts;
  return parts.length === 1 && only ? only : Buffer.concat(parts);
}
