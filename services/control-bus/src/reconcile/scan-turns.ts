/**
 * Lets one scan of the streams run at a time in a process. A replica that takes over many partitions at once would
 * otherwise read both streams for all of them together, and renew none of its leases in time.
 */
export class ScanTurns {
  #last: Promise<void> = Promise.resolve();

  /** Yields what the scan yields, after all earlier scans have ended. */
  async *run<T>(scan: () => AsyncIterable<T>): AsyncGenerator<T> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const earlier = this.#last;
    this.#last = promise;
    try {
      await earlier;
      yield* scan();
    } finally {
      // A scan that ends while it waits does not let later ones pass earlier ones.
      void earlier.then(resolve);
    }
  }
}
