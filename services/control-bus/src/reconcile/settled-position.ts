/** The position in the journal stream up to which the facts of an owned partition are published. */
export class SettledPosition {
  /** By run: the position of the first commit whose facts may not be published. */
  readonly #open = new Map<string, number>();
  #last = 0;

  /** Call it with a position up to which the facts of all other commits are checked. */
  advanceTo(position: number): void {
    this.#last = Math.max(this.#last, position);
  }

  /** Call it when the journal stream was set back: it ends at this position, and later ones are used again. */
  setBackTo(position: number): void {
    this.#last = position;
    for (const [run, first] of this.#open) this.#open.set(run, Math.min(first, position + 1));
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

  /** The position of the last commit that is known. */
  get last(): number {
    return this.#last;
  }

  /** Call it when everything that follows from the last commit of the run is done. */
  settled(run: string): void {
    this.#open.delete(run);
  }

  get value(): number {
    return Math.min(this.#last, ...this.#open.values().map((position) => position - 1));
  }
}
