/** One queue of items per key. Only the first item of each queue is active. */
export class KeyedQueue<T> {
  readonly #waiting = new Map<string, T[]>();

  /** Adds an item. Returns true when its queue was empty, so that the item is active immediately. */
  enter(key: string, item: T): boolean {
    const queue = this.#waiting.get(key);
    if (!queue) {
      this.#waiting.set(key, []);
      return true;
    }
    queue.push(item);
    return false;
  }

  /** Removes the active item. Returns the next item, which is active now. */
  leave(key: string): T | undefined {
    const next = this.#waiting.get(key)?.shift();
    if (next === undefined) this.#waiting.delete(key);
    return next;
  }

  /** Number of keys with an active item. */
  get size(): number {
    return this.#waiting.size;
  }
}
