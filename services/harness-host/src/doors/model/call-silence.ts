/** How long a call may be silent before it is reported. */
const FIRST_MS = 10_000;

/** What is known of the silence of a call. */
export interface Silence {
  /** How long nothing of a response has arrived, in milliseconds. */
  readonly silentMs: number;
  /** `silent` while it lasts; then `answered` when something has arrived, or `ended` when the call has ended. */
  readonly state: 'silent' | 'answered' | 'ended';
}

/** Reports that nothing of a response arrives: after ten seconds, then at growing intervals, and when it is over. */
export class CallSilence {
  readonly #onSilence: (silence: Silence) => void;
  readonly #firstMs: number;
  #since = performance.now();
  #isReported = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(onSilence: (silence: Silence) => void, firstMs = FIRST_MS) {
    this.#onSilence = onSilence;
    this.#firstMs = firstMs;
  }

  /** The call was sent. */
  start(): void {
    this.#since = performance.now();
    this.#wait(this.#firstMs, this.#firstMs);
  }

  /** A part of the response has arrived. */
  heard(): void {
    const silentMs = this.#silentMs;
    this.#since = performance.now();
    if (!this.#isReported) return;
    this.#report({ silentMs, state: 'answered' });
    this.#wait(this.#firstMs, this.#firstMs);
  }

  /** The call has ended. */
  end(): void {
    clearTimeout(this.#timer);
    if (this.#isReported) this.#report({ silentMs: this.#silentMs, state: 'ended' });
  }

  get #silentMs(): number {
    return performance.now() - this.#since;
  }

  /** @param nextMs the silence to report */
  #wait(ms: number, nextMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const silentMs = this.#silentMs;
      // Something may have arrived since: it moves the time, not the timer.
      if (silentMs < nextMs) return this.#wait(nextMs - silentMs, nextMs);
      this.#report({ silentMs, state: 'silent' });
      this.#wait(nextMs, 2 * nextMs);
    }, ms);
    this.#timer.unref();
  }

  #report(silence: Silence): void {
    this.#isReported = silence.state === 'silent';
    this.#onSilence(silence);
  }
}
