/** Runs the tasks of each key one after the other. Tasks of different keys run concurrently. */
export class KeyedQueue {
  readonly #tails = new Map<string, Promise<void>>();

  /** Runs the task after the earlier tasks of its key. A failure rejects the returned promise only, not the queue. */
  add(key: string, task: () => Promise<void>): Promise<void> {
    const before = this.#tails.get(key) ?? Promise.resolve();
    const done = before.then(task);
    const tail = done.catch(() => {});
    this.#tails.set(key, tail);
    void tail.then(() => {
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
    });
    return done;
  }

  /** Whether a task of the key runs or waits. */
  has(key: string): boolean {
    return this.#tails.has(key);
  }

  /** Resolves when all tasks that were added so far are done. */
  async whenDone(): Promise<void> {
    await Promise.allSettled(this.#tails.values());
  }
}
