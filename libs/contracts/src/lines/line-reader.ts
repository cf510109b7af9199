/** Receives the lines of a stream. */
export interface LineListener {
  /** A line without its LF. */
  line(bytes: Uint8Array): void;
  /** A line is over the limit. The rest of it is dropped. */
  tooLong(): void;
}

const LF = 0x0a;
const CR = 0x0d;
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Splits a byte stream into lines, and buffers at most one line of up to `maxBytes`. Only LF separates lines; U+2028 and
 * other separators are text.
 */
export class LineReader {
  readonly #maxBytes: number;
  readonly #listener: LineListener;
  #parts: Uint8Array[] = [];
  #size = 0;
  #closed = false;

  constructor(maxBytes: number, listener: LineListener) {
    this.#maxBytes = maxBytes;
    this.#listener = listener;
  }

  push(chunk: Uint8Array): void {
    let from = 0;
    for (let at = chunk.indexOf(LF); at >= 0 && !this.#closed; at = chunk.indexOf(LF, from)) {
      this.#keep(chunk.subarray(from, at));
      this.#emit();
      from = at + 1;
    }
    if (from < chunk.length) this.#keep(chunk.subarray(from));
  }

  /** Ends the stream. Any remaining bytes are the last line. */
  end(): void {
    if (this.#size > 0) this.#emit();
    this.close();
  }

  /** Drops all further bytes. */
  close(): void {
    this.#closed = true;
    this.#parts = [];
  }

  #keep(part: Uint8Array): void {
    if (this.#closed || part.length === 0) return;
    const fits = this.#size <= this.#maxBytes;
    this.#size += part.length;
    if (this.#size <= this.#maxBytes) this.#parts.push(part);
    else if (fits) {
      this.#parts = [];
      this.#listener.tooLong();
    }
  }

  #emit(): void {
    if (this.#closed) return;
    const bytes = this.#size <= this.#maxBytes ? joined(this.#parts, this.#size) : undefined;
    this.#parts = [];
    this.#size = 0;
    if (bytes) this.#listener.line(bytes);
  }
}

/** The text of a line without a CR at its end. Invalid UTF-8 becomes replacement characters. */
export function lineText(bytes: Uint8Array): string {
  return decoder.decode(bytes.at(-1) === CR ? bytes.subarray(0, -1) : bytes);
}

/** Joins the parts. A line within one chunk is not copied. */
function joined(parts: readonly Uint8Array[], size: number): Uint8Array {
  const [only] = parts;
  if (parts.length === 1 && only) return only;
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
