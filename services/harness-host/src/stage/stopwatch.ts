/** Measures the steps of a stage run in milliseconds. Repeated steps add up. */
export class Stopwatch {
  readonly #timings: Record<string, number> = {};

  async time<T>(step: string, work: () => Promise<T>): Promise<T> {
    const started = performance.now();
    try {
      return await work();
    } finally {
      this.#timings[step] = Math.round((this.#timings[step] ?? 0) + performance.now() - started);
    }
  }

  get timings(): Readonly<Record<string, number>> {
    return { ...this.#timings };
  }
}
