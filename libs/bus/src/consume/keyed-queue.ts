/** Lines of items, one for each key, of which only the first is under way. */
export class KeyedQueue<T> {
  readonly #waiting = new Map<string, T[]>();

  /** True when the lane was empty and the item is under way at once. */
  enter(key: string, item: T): boolean {
    const lane = this.#waiting.get(key);
    if (!lane) {
      this.#waiting.set(key, []);
      return true;
    }
    lane.push(item);
    return false;
  }

  /** The first one has ended: answers with the next one, which is under way now. */
  leave(key: string): T | undefined {
    const next = this.#waiting.get(key)?.shift();
    if (next === undefined) this.#waiting.delete(key);
    return next;
  }

  /** Lanes in which something is under way. */
  get size(): number {
    return this.#waiting.size;
  }
}
