/** Keeps the last bytes of a stream, such as the stderr of a process. */
export class TailBuffer {
  readonly #maxBytes: number;
  #parts: Buffer[] = [];
  #size = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  push(chunk: Buffer): void {
    this.#parts.push(chunk);
    this.#size += chunk.length;
    while (this.#parts.length > 1 && this.#size - (this.#parts[0] as Buffer).length >= this.#maxBytes) {
      this.#size -= (this.#parts.shift() as Buffer).length;
    }
  }

  toString(): string {
    const bytes = Buffer.concat(this.#parts);
    return bytes.subarray(Math.max(0, bytes.length - this.#maxBytes)).toString('utf8');
  }
}
