/** Entries in flight, numbered in order. They finish in any order and are dropped from the front. */
export class Window<T> {
  readonly #entries: (T | undefined)[] = [];
  /** Number of the first kept entry; `#head` is its index in the array. */
  #first = 0;
  #head = 0;

  /** Number of the next entry. */
  get next(): number {
    return this.#first + this.#entries.length - this.#head;
  }

  /** Number of the oldest unfinished entry; `next` when there is none. */
  get oldest(): number {
    return this.#first;
  }

  get isEmpty(): boolean {
    return this.#first === this.next;
  }

  push(entry: T): number {
    this.#entries.push(entry);
    return this.next - 1;
  }

  get(number: number): T | undefined {
    return number < this.#first ? undefined : this.#entries[number - this.#first + this.#head];
  }

  /** Removes an entry. The numbers of the others do not change. */
  finish(number: number): void {
    if (number < this.#first || number >= this.next) return;
    this.#entries[number - this.#first + this.#head] = undefined;
    while (this.#head < this.#entries.length && this.#entries[this.#head] === undefined) {
      this.#head++;
      this.#first++;
    }
    this.#compact();
  }

  /** The unfinished entries from the oldest up to `end`, exclusive. */
  *between(end: number): Generator<[number, T]> {
    for (let number = this.#first; number < end; number++) {
      const entry = this.get(number);
      if (entry !== undefined) yield [number, entry];
    }
  }

  #compact(): void {
    if (this.#head === this.#entries.length) this.#entries.length = 0;
    else if (this.#head < 1024 || this.#head * 2 < this.#entries.length) return;
    else this.#entries.splice(0, this.#head);
    this.#head = 0;
  }
}
