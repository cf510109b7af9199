/** A result with a deadline. */
export class Waiting<T> {
  readonly #promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (error: Error) => void;

  constructor() {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.#promise = promise;
    this.resolve = resolve;
    this.reject = reject;
  }

  async within(ms: number, late: () => void): Promise<T> {
    const timer = setTimeout(late, ms);
    try {
      return await this.#promise;
    } finally {
      clearTimeout(timer);
    }
  }
}
