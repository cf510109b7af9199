/**
 * A bounded LRU cache of loaded values. Concurrent calls for the same key load it once. A failed load is not cached.
 */
export class Memo<V> {
  readonly #values = new Map<string, Promise<V>>();
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(key: string, load: () => Promise<V>): Promise<V> {
    const known = this.#values.get(key);
    if (known) this.#values.delete(key);
    const value = known ?? load();
    this.#values.set(key, value);
    if (!known) value.catch(() => this.#values.delete(key));
    if (this.#values.size > this.#limit) this.#values.delete(this.#values.keys().next().value as string);
    return value;
  }
}
