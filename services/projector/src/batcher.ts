/**
 * Writes items in batches: immediately when idle, otherwise all items that arrived during the last write, up to a
 * limit. A single item is not delayed, and batches grow under load. After a batch that was not full it pauses briefly,
 * since a transaction for a few events is expensive.
 */
export class Batcher<T> {
  readonly #write: (items: readonly T[]) => Promise<void>;
  readonly #maxBatch: number;
  readonly #pauseMs: number;
  readonly #queue: T[] = [];
  #writing: Promise<void> | undefined;
  #error: { readonly error: unknown } | undefined;
  readonly #failed = Promise.withResolvers<never>();
  #hasCapacity: PromiseWithResolvers<void> | undefined;
  /** Ends the pause early. */
  #wake: (() => void) | undefined;

  constructor(maxBatch: number, write: (items: readonly T[]) => Promise<void>, pauseMs = 0) {
    this.#maxBatch = maxBatch;
    this.#pauseMs = pauseMs;
    this.#write = write;
    this.#failed.promise.catch(() => {});
  }

  /** Rejects when a write fails. Nothing is written after that. */
  get failed(): Promise<never> {
    return this.#failed.promise;
  }

  get waiting(): number {
    return this.#queue.length;
  }

  /** Adds an item. Returns a promise to await if a full batch is waiting. Throws or rejects after a failed write. */
  add(item: T): void | Promise<void> {
    if (this.#error) throw this.#error.error;
    this.#queue.push(item);
    this.#writing ??= this.#drain();
    if (this.#queue.length < this.#maxBatch) return;
    this.#wake?.();
    this.#hasCapacity ??= Promise.withResolvers<void>();
    return this.#hasCapacity.promise;
  }

  /** Resolves when all added items are written. */
  async settled(): Promise<void> {
    this.#wake?.();
    await this.#writing;
    if (this.#error) throw this.#error.error;
  }

  async #drain(): Promise<void> {
    // Items added in the same turn go into the first batch.
    await Promise.resolve();
    try {
      while (this.#queue.length > 0) {
        const batch = this.#queue.splice(0, this.#maxBatch);
        this.#makeRoom();
        await this.#write(batch);
        await this.#pause();
      }
    } catch (error) {
      this.#error = { error };
      this.#failed.reject(error);
      this.#queue.length = 0;
      this.#hasCapacity?.reject(error);
    }
    this.#writing = undefined;
  }

  async #pause(): Promise<void> {
    if (this.#pauseMs === 0 || this.#queue.length >= this.#maxBatch) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.#pauseMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = undefined;
  }

  #makeRoom(): void {
    this.#hasCapacity?.resolve();
    this.#hasCapacity = undefined;
  }
}
