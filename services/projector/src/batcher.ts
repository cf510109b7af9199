/**
 * Hands items on in batches: at once when nobody is busy, otherwise all that came meanwhile, up to a limit. So a lone item is not
 * delayed, and under load the batches grow by themselves. After a batch that was not full it rests for a moment: a transaction for every
 * few events of a run costs whoever shares the machine more than the events are worth.
 */
export class Batcher<T> {
  readonly #write: (items: readonly T[]) => Promise<void>;
  readonly #maxBatch: number;
  readonly #restMs: number;
  readonly #queue: T[] = [];
  #writing: Promise<void> | undefined;
  #error: { readonly error: unknown } | undefined;
  readonly #failed = Promise.withResolvers<never>();
  #room: PromiseWithResolvers<void> | undefined;
  /** Ends the rest early. */
  #wake: (() => void) | undefined;

  constructor(maxBatch: number, write: (items: readonly T[]) => Promise<void>, restMs = 0) {
    this.#maxBatch = maxBatch;
    this.#restMs = restMs;
    this.#write = write;
    this.#failed.promise.catch(() => {});
  }

  /** Rejects when writing fails; nothing is written after that. */
  get failed(): Promise<never> {
    return this.#failed.promise;
  }

  get waiting(): number {
    return this.#queue.length;
  }

  /** A promise when there is enough to do: whoever adds waits for it. Rejects or throws when writing failed. */
  add(item: T): void | Promise<void> {
    if (this.#error) throw this.#error.error;
    this.#queue.push(item);
    this.#writing ??= this.#drain();
    if (this.#queue.length < this.#maxBatch) return;
    this.#wake?.();
    this.#room ??= Promise.withResolvers<void>();
    return this.#room.promise;
  }

  /** Resolves when all that was added is written. */
  async settled(): Promise<void> {
    this.#wake?.();
    await this.#writing;
    if (this.#error) throw this.#error.error;
  }

  async #drain(): Promise<void> {
    // What arrives in the same turn goes into the first batch.
    await Promise.resolve();
    try {
      while (this.#queue.length > 0) {
        const batch = this.#queue.splice(0, this.#maxBatch);
        this.#makeRoom();
        await this.#write(batch);
        await this.#rest();
      }
    } catch (error) {
      this.#error = { error };
      this.#failed.reject(error);
      this.#queue.length = 0;
      this.#room?.reject(error);
    }
    this.#writing = undefined;
  }

  async #rest(): Promise<void> {
    if (this.#restMs === 0 || this.#queue.length >= this.#maxBatch) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.#restMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = undefined;
  }

  #makeRoom(): void {
    this.#room?.resolve();
    this.#room = undefined;
  }
}
