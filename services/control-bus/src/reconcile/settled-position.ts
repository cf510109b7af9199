/** The position in the journal stream up to which the facts of an owned partition are published. */
export class SettledPosition {
  /** By run: the position of the first commit whose facts may not be published. */
  readonly #open = new Map<string, number>();
  #last = 0;

  /** Call it with a position up to which the facts of all other commits are checked. */
  advanceTo(position: number): void {
    this.#last = Math.max(this.#last, position);
  }

  /**
   * Call it before each append: its commit may be stored without an answer.
   * @returns call it if nothing was stored
   */
  appending(run: string): () => void {
    if (this.#open.has(run)) return () => {};
    this.#open.set(run, this.#last + 1);
    return () => this.#open.delete(run);
  }

  /** Call it after each append, with the position of its commit. */
  appended(run: string, position: number): void {
    if (!this.#open.has(run)) this.#open.set(run, position);
    this.advanceTo(position);
  }

  /** Call it when everything that follows from the last commit of the run is done. */
  settled(run: string): void {
    this.#open.delete(run);
  }

  get value(): number {
    return Math.min(this.#last, ...this.#open.values().map((position) => position - 1));
  }
}
