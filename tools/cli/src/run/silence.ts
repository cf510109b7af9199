const FIRST_MS = 2_000;
const LONGEST_MS = 60_000;

/** Calls a function when nothing has happened for two seconds, and then at growing intervals. */
export class Silence {
  readonly #onSilence: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(onSilence: () => void) {
    this.#onSilence = onSilence;
    this.restart();
  }

  /** Something has happened. */
  restart(): void {
    this.#wait(FIRST_MS);
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  #wait(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#onSilence();
      this.#wait(Math.min(2 * ms, LONGEST_MS));
    }, ms);
  }
}
