const DIGITS = 16;
const EMPTY = 0;

/**
 * A set of hashes, each with a mark. It needs 16 bytes and a bit for each, because it has only the first 16 of 64 digits:
 * two hashes that begin alike share their mark, so a blob can be kept too long, but never be removed too early.
 */
export class MarkedHashes {
  #slots = new Uint32Array(2 * 1024);
  #marks = new Uint8Array(1024);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(hash: string): void {
    if (2 * (this.#size + 1) > this.#marks.length) this.#grow();
    const [high, low] = keyOf(Buffer.from(hash, 'latin1'), 0);
    const slot = this.#slotOf(high, low);
    if (this.#isEmpty(slot)) this.#size += 1;
    this.#slots[2 * slot] = high;
    this.#slots[2 * slot + 1] = low;
  }

  /** Marks the hash whose digits are at this place, if the set has it. */
  mark(bytes: Uint8Array, start: number): void {
    const [high, low] = keyOf(bytes, start);
    const slot = this.#slotOf(high, low);
    if (!this.#isEmpty(slot)) this.#marks[slot] = 1;
  }

  /** Undefined when the set does not have the hash. */
  isMarked(hash: string): boolean | undefined {
    const [high, low] = keyOf(Buffer.from(hash, 'latin1'), 0);
    const slot = this.#slotOf(high, low);
    return this.#isEmpty(slot) ? undefined : this.#marks[slot] === 1;
  }

  /** Linear probing. */
  #slotOf(high: number, low: number): number {
    const mask = this.#marks.length - 1;
    let slot = (high ^ low) & mask;
    while (!this.#isEmpty(slot) && (this.#slots[2 * slot] !== high || this.#slots[2 * slot + 1] !== low))
      slot = (slot + 1) & mask;
    return slot;
  }

  #isEmpty(slot: number): boolean {
    return this.#slots[2 * slot] === EMPTY && this.#slots[2 * slot + 1] === EMPTY;
  }

  #grow(): void {
    const [slots, marks] = [this.#slots, this.#marks];
    this.#slots = new Uint32Array(2 * slots.length);
    this.#marks = new Uint8Array(2 * marks.length);
    for (let slot = 0; slot < marks.length; slot += 1) {
      const [high = EMPTY, low = EMPTY] = slots.subarray(2 * slot, 2 * slot + 2);
      if (high === EMPTY && low === EMPTY) continue;
      const moved = this.#slotOf(high, low);
      this.#slots[2 * moved] = high;
      this.#slots[2 * moved + 1] = low;
      this.#marks[moved] = marks[slot] ?? 0;
    }
  }
}

/** The first 16 hex digits as two numbers, of which the second is not 0. */
function keyOf(bytes: Uint8Array, start: number): readonly [number, number] {
  let [high, low] = [0, 0];
  for (let at = 0; at < DIGITS / 2; at += 1) {
    high = (high << 4) | digit(bytes[start + at] ?? 0);
    low = (low << 4) | digit(bytes[start + DIGITS / 2 + at] ?? 0);
  }
  return [high >>> 0, low >>> 0 || 1];
}

/** `0` to `9` are 48 to 57, `a` to `f` 97 to 102. */
const digit = (code: number): number => (code < 58 ? code - 48 : code - 87) & 15;
