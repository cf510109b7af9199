interface Value<T> {
  readonly value: T;
  readonly revision: number;
}

/** A key-value bucket with compare-and-set. */
export class Bucket<T> {
  readonly values = new Map<string, Value<T>>();
  #revision = 0;

  get(key: string): { readonly key: string; readonly value: T; readonly revision: number } | undefined {
    const found = this.values.get(key);
    return found && { key, ...found };
  }

  create(key: string, value: T): number | undefined {
    return this.values.has(key) ? undefined : this.put(key, value);
  }

  update(key: string, value: T, revision: number): number | undefined {
    return this.values.get(key)?.revision === revision ? this.put(key, value) : undefined;
  }

  put(key: string, value: T): number {
    this.#revision += 1;
    this.values.set(key, { value: structuredClone(value), revision: this.#revision });
    return this.#revision;
  }

  /** False when the revision is not current. */
  delete(key: string, revision: number): boolean {
    return this.values.get(key)?.revision === revision && this.values.delete(key);
  }
}
