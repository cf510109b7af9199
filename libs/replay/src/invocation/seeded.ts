import { hash } from 'node:crypto';

/** Random numbers that follow from the seed and the number of draws: the same in every replay. */
export class SeededRandom {
  readonly #seed: string;
  #draws = 0;

  constructor(seed: string) {
    this.#seed = seed;
  }

  /** From 0 to 1, 53 bits. */
  number(): number {
    const bytes = this.#next();
    return (bytes.readUIntBE(0, 6) * 32 + ((bytes[6] as number) & 31)) / 2 ** 53;
  }

  /** A version 4 UUID. */
  uuid(): string {
    const bytes = this.#next().subarray(0, 16);
    bytes[6] = ((bytes[6] as number) & 0x0f) | 0x40;
    bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
    const hex = bytes.toString('hex');
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
  }

  #next(): Buffer {
    this.#draws += 1;
    return hash('sha256', `${this.#seed}\n${this.#draws}`, 'buffer');
  }
}
