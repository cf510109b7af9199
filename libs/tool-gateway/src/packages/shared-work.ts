interface Running<T> {
  readonly result: Promise<T>;
  readonly stop: AbortController;
  waiting: number;
}

/** Work by name. Callers of the same name share one run, which stops when no caller waits for it any more. */
export class SharedWork<T> {
  readonly #running = new Map<string, Running<T>>();

  /** @throws the error of the work; the reason of the signal */
  async run(name: string, signal: AbortSignal, work: (stop: AbortSignal) => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    const running = this.#running.get(name) ?? this.#start(name, work);
    running.waiting += 1;
    const aborted = Promise.withResolvers<never>();
    const abort = (): void => aborted.reject(signal.reason);
    signal.addEventListener('abort', abort);
    try {
      return await Promise.race([running.result, aborted.promise]);
    } finally {
      signal.removeEventListener('abort', abort);
      running.waiting -= 1;
      if (running.waiting === 0) this.#end(name, running);
    }
  }

  #start(name: string, work: (stop: AbortSignal) => Promise<T>): Running<T> {
    const stop = new AbortController();
    const running = { result: work(stop.signal), stop, waiting: 0 };
    running.result.catch(() => undefined); // All callers may have given up.
    this.#running.set(name, running);
    return running;
  }

  #end(name: string, running: Running<T>): void {
    running.stop.abort();
    if (this.#running.get(name) === running) this.#running.delete(name);
  }
}
