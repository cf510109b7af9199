/** Times the steps of a preparation by name. */
export class StepTimer {
  readonly #timings: Record<string, number> = {};

  /** A step that waits for something. */
  async step<T>(name: string, work: () => T | Promise<T>): Promise<T> {
    const begun = performance.now();
    try {
      return await work();
    } finally {
      this.#note(name, begun);
    }
  }

  /** A step that only computes. */
  readonly run = <T>(name: string, work: () => T): T => {
    const begun = performance.now();
    try {
      return work();
    } finally {
      this.#note(name, begun);
    }
  };

  /** Milliseconds by step. */
  get timings(): Readonly<Record<string, number>> {
    return this.#timings;
  }

  #note(name: string, begun: number): void {
    this.#timings[name] = Math.round((performance.now() - begun) * 1000) / 1000;
  }
}
