/** Runs tasks one after the other. The owners of waiting tasks take turns, so that none keeps the others out. */
export class FairTurns {
  /** The owner whose turn is next is the first. */
  readonly #waiting = new Map<object, (() => Promise<void>)[]>();
  #isRunning = false;

  /** Resolves with the result of the task, or rejects with its error. Owners are compared by identity. */
  run<T>(owner: object, task: () => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const tasks = this.#waiting.get(owner) ?? [];
    tasks.push(() => task().then(resolve, reject));
    this.#waiting.set(owner, tasks);
    if (!this.#isRunning) void this.#runAll();
    return promise;
  }

  async #runAll(): Promise<void> {
    this.#isRunning = true;
    for (let next = this.#take(); next; next = this.#take()) await next();
    this.#isRunning = false;
  }

  #take(): (() => Promise<void>) | undefined {
    const [first] = this.#waiting;
    if (!first) return undefined;
    const [owner, [task, ...others]] = first;
    this.#waiting.delete(owner);
    if (others.length > 0) this.#waiting.set(owner, others);
    return task;
  }
}
