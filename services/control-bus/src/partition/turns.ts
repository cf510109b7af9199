/** Runs work in order of arrival, a limited number of pieces concurrently. */
export class Turns {
  readonly #atOnce: number;
  readonly #queue: (() => Promise<void>)[] = [];
  #running = 0;

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  /** @param work must not reject */
  add(work: () => Promise<void>): void {
    this.#queue.push(work);
    this.#next();
  }

  #next(): void {
    while (this.#running < this.#atOnce) {
      const work = this.#queue.shift();
      if (!work) return;
      this.#running += 1;
      void work().finally(() => {
        this.#running -= 1;
        this.#next();
      });
    }
  }
}
