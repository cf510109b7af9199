interface Value<T> {
  readonly value: T;
  readonly revision: number;
}

/** A key-value bucket with compare-and-set. */
export class Bucket<T> {
  readonly values = new Map<string, Value<T>>();
  readonly #writes: { readonly key: string; readonly stored: Value<T> | undefined }[] = [];
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
    const stored = { value: structuredClone(value), revision: this.#revision };
    this.values.set(key, stored);
    this.#writes.push({ key, stored });
    return this.#revision;
  }

  /** False when the revision is not current. */
  delete(key: string, revision: number): boolean {
    if (this.values.get(key)?.revision !== revision) return false;
    this.#writes.push({ key, stored: undefined });
    return this.values.delete(key);
  }

  /** Forgets the last writes. @param share how much is kept, from 0 to 1 */
  setBack(share: number): void {
    this.#writes.length = Math.ceil(this.#writes.length * share);
    this.values.clear();
    this.#revision = this.#writes.at(-1)?.stored?.revision ?? 0;
    for (const { key, stored } of this.#writes) {
      if (stored) this.values.set(key, stored);
      else this.values.delete(key);
    }
  }
}
