/** What a signal of an executor means for its text. */
export type SignalKind = 'text' | 'tool' | 'other';

/** A signal of an attempt at a stage. */
export interface NumberedSignal {
  /** Identifies the attempt. */
  readonly attempt: string;
  /** Starts at 1, without gaps. */
  readonly seq: number;
  readonly kind: SignalKind;
  readonly text?: string;
}

/** The most signals that wait for a missing one. With more, it is lost. */
const MAX_EARLY = 10_000;
const PARAGRAPH = '\n\n';

/**
 * The text that a stage writes, in order and without gaps. Deltas and other signals arrive in two streams, so a signal
 * waits for those before it. If one is lost, nothing follows until the final text is known. Only the first attempt that
 * writes is followed: its text cannot be taken back.
 */
export class LiveText {
  #attempt: string | undefined;
  #next = 1;
  readonly #early = new Map<number, NumberedSignal>();
  /** All text so far. */
  #written = '';
  /** The text since the last tool call. */
  #message = '';

  /** Adds a signal. Returns the text to send, which may be empty. */
  add(signal: NumberedSignal): string {
    this.#attempt ??= signal.attempt;
    if (signal.attempt !== this.#attempt || signal.seq < this.#next) return this.#follow(signal);
    if (this.#early.size < MAX_EARLY) this.#early.set(signal.seq, signal);
    let text = '';
    for (let next = this.#early.get(this.#next); next; next = this.#early.get(this.#next)) {
      this.#early.delete(this.#next);
      this.#next += 1;
      text += this.#take(next);
    }
    return text;
  }

  /** Ends with the final text. Returns what is missing of it. */
  finish(text: string): string {
    if (this.#written === '' || text === '') return this.#written === '' ? text : '';
    const known = [this.#written, this.#message].find((part) => part !== '' && text.startsWith(part));
    return known === undefined ? `${PARAGRAPH}${text}` : text.slice(known.length);
  }

  /** Another attempt is followed only if the first one has not written anything. */
  #follow(signal: NumberedSignal): string {
    if (signal.attempt === this.#attempt || this.#written !== '') return '';
    this.#attempt = signal.attempt;
    this.#next = 1;
    this.#early.clear();
    return this.add(signal);
  }

  #take({ kind, text = '' }: NumberedSignal): string {
    if (kind === 'tool') this.#message = '';
    if (kind !== 'text' || text === '') return '';
    const startsParagraph = this.#message === '' && this.#written !== '';
    this.#written += text;
    this.#message += text;
    return startsParagraph ? `${PARAGRAPH}${text}` : text;
  }
}
