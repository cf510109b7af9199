/** Measures the steps of a preparation by name. */
export class StepTimer {
  readonly #timings: Record<string, number> = {};

  /** Measures an asynchronous step. */
  async step<T>(name: string, work: () => T | Promise<T>): Promise<T> {
    const startedAt = performance.now();
    try {
      return await work();
    } finally {
      this.#record(name, startedAt);
    }
  }

  /** Measures a synchronous step. */
  readonly run = <T>(name: string, work: () => T): T => {
    const startedAt = performance.now();
    try {
      return work();
    } finally {
      this.#record(name, startedAt);
    }
  };

  /** Milliseconds by step. */
  get timings(): Readonly<Record<string, number>> {
    return this.#timings;
  }

  #record(name: string, startedAt: number): void {
    this.#timings[name] = Math.round((performance.now() - startedAt) * 1000) / 1000;
  }
}
