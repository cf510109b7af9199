import { LRUCache } from 'lru-cache';

/** An LRU cache of promises by name. A rejected promise is removed, so that the next call tries again. */
export class LruCache<T extends Promise<unknown>> {
  readonly #made: LRUCache<string, T>;

  /** @param dropped called with the name of each promise that is removed because there are too many */
  constructor(most: number, dropped: (name: string) => void = () => undefined) {
    this.#made = new LRUCache({ max: most, dispose: (_, name, reason) => reason === 'evict' && dropped(name) });
  }

  get(name: string, make: () => T): T {
    const known = this.#made.get(name);
    if (known) return known;
    const made = make();
    this.#made.set(name, made);
    made.catch(() => {
      if (this.#made.peek(name) === made) this.#made.delete(name);
    });
    return made;
  }
}
