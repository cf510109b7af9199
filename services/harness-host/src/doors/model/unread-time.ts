/** Sums up the time in which a client does not read its answer, and reports when it is too long. */
export class UnreadTime {
  readonly #onTooLong: () => void;
  #leftMs: number;
  #since: number | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(maxMs: number, onTooLong: () => void) {
    this.#leftMs = maxMs;
    this.#onTooLong = onTooLong;
  }

  /** The client has to read before more can be sent. Idempotent. */
  start(): void {
    if (this.#since !== undefined) return;
    this.#since = performance.now();
    this.#timer = setTimeout(this.#onTooLong, Math.max(0, this.#leftMs));
  }

  /** The client has read everything. Idempotent. */
  stop(): void {
    if (this.#since === undefined) return;
    this.#leftMs -= performance.now() - this.#since;
    this.#since = undefined;
    clearTimeout(this.#timer);
  }
}
