import { LRUCache } from 'lru-cache';

/**
 * A bounded LRU cache of loaded values. Concurrent calls for the same key load it once. A failed load is not cached.
 */
export class Memo<V> {
  readonly #values: LRUCache<string, Promise<V>>;

  constructor(limit: number) {
    this.#values = new LRUCache({ max: limit });
  }

  get(key: string, load: () => Promise<V>): Promise<V> {
    return this.#values.get(key) ?? this.set(key, load());
  }

  /** Replaces the value of a key. */
  set(key: string, value: Promise<V>): Promise<V> {
    this.#values.set(key, value);
    value.catch(() => {
      if (this.#values.peek(key) === value) this.#values.delete(key);
    });
    return value;
  }
}
