/** Times the steps of a stage run by name, in milliseconds; a step that comes again adds to itself. */
export class Stopwatch {
  readonly #timings: Record<string, number> = {};

  async time<T>(step: string, work: () => Promise<T>): Promise<T> {
    const begun = performance.now();
    try {
      return await work();
    } finally {
      this.#timings[step] = Math.round((this.#timings[step] ?? 0) + performance.now() - begun);
    }
  }

  get timings(): Readonly<Record<string, number>> {
    return { ...this.#timings };
  }
}
