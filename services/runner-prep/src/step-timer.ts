/** Times the steps of a preparation by name. */
export class StepTimer {
  readonly #timings: Record<string, number> = {};

  async step<T>(name: string, work: () => T | Promise<T>): Promise<T> {
    const begun = performance.now();
    try {
      return await work();
    } finally {
      this.#timings[name] = Math.round((performance.now() - begun) * 1000) / 1000;
    }
  }

  /** Milliseconds by step. */
  get timings(): Readonly<Record<string, number>> {
    return this.#timings;
  }
}
