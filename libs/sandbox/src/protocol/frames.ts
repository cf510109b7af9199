/** Encodes a message for a pipe: its length in four bytes, then its JSON. */
export function frameOf(message: unknown): Buffer {
  const json = Buffer.from(JSON.stringify(message), 'utf8');
  const frame = Buffer.allocUnsafe(json.length + HEAD);
  frame.writeUInt32BE(json.length, 0);
  json.copy(frame, HEAD);
  return frame;
}

const HEAD = 4;

/** Decodes frames from chunks of any size. It buffers no more than the largest frame. */
export class FrameReader {
  readonly #maxBytes: number;
  readonly #onFrame: (json: string) => void;
  readonly #onTooLarge: () => void;
  #chunks: Buffer[] = [];
  #size = 0;
  #isBroken = false;

  constructor(maxBytes: number, onFrame: (json: string) => void, onTooLarge: () => void) {
    this.#maxBytes = maxBytes;
    this.#onFrame = onFrame;
    this.#onTooLarge = onTooLarge;
  }

  push(chunk: Buffer): void {
    if (this.#isBroken) return;
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    for (let length = this.#nextLength(); length !== undefined; length = this.#nextLength()) {
      if (length > this.#maxBytes) {
        this.#isBroken = true;
        this.#chunks = [];
        this.#onTooLarge();
        return;
      }
      if (this.#size < HEAD + length) return;
      const all = this.#joined();
      this.#chunks = [all.subarray(HEAD + length)];
      this.#size -= HEAD + length;
      this.#onFrame(all.toString('utf8', HEAD, HEAD + length));
    }
  }

  #nextLength(): number | undefined {
    if (this.#size < HEAD) return undefined;
    const [first] = this.#chunks;
    return (first && first.length >= HEAD ? first : this.#joined()).readUInt32BE(0);
  }

  #joined(): Buffer {
    const all = this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks);
    this.#chunks = [all];
    return all;
  }
}
