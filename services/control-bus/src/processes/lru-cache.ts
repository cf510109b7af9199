/** An LRU cache of promises by name. A rejected promise is removed, so that the next call tries again. */
export class LruCache<T extends Promise<unknown>> {
  readonly #made = new Map<string, T>();
  readonly #most: number;
  readonly #dropped: (name: string) => void;

  constructor(most: number, dropped: (name: string) => void = () => undefined) {
    this.#most = most;
    this.#dropped = dropped;
  }

  get(name: string, make: () => T): T {
    const made = this.#made.get(name) ?? make();
    this.#made.delete(name);
    this.#made.set(name, made);
    made.catch(() => {
      if (this.#made.get(name) === made) this.#made.delete(name);
    });
    const [oldest] = this.#made.keys();
    if (this.#made.size > this.#most && oldest !== undefined) {
      this.#made.delete(oldest);
      this.#dropped(oldest);
    }
    return made;
  }
}
