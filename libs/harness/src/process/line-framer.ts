const LF = 0x0a;
const CR = 0x0d;

/**
 * Splits a byte stream into lines of bounded size. Only LF separates lines; U+2028 and other separators are text. A CR
 * before the LF is dropped. Invalid UTF-8 becomes replacement characters.
 */
export class LineFramer {
  readonly #maxBytes: number;
  readonly #onLine: (line: string) => void;
  readonly #onTooLong: () => void;
  #parts: Buffer[] = [];
  #size = 0;
  #closed = false;

  constructor(maxBytes: number, onLine: (line: string) => void, onTooLong: () => void) {
    this.#maxBytes = maxBytes;
    this.#onLine = onLine;
    this.#onTooLong = onTooLong;
  }

  push(chunk: Buffer): void {
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
    this.#closed = true;
  }

  #keep(part: Buffer): void {
    if (this.#closed || part.length === 0) return;
    this.#size += part.length;
    if (this.#size > this.#maxBytes) {
      this.#closed = true;
      this.#parts = [];
      this.#onTooLong();
      return;
    }
    this.#parts.push(part);
  }

  #emit(): void {
    if (this.#closed) return;
    const bytes = this.#parts.length === 1 ? (this.#parts[0] as Buffer) : Buffer.concat(this.#parts);
    this.#parts = [];
    this.#size = 0;
    const end = bytes.at(-1) === CR ? bytes.length - 1 : bytes.length;
    this.#onLine(bytes.toString('utf8', 0, end));
  }
}
