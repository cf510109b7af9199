import type { Redactor } from '../secrets/redactor.ts';

/** One kind of text that comes in pieces. What may be the beginning of a secret waits for the next piece. */
export class DeltaStream {
  readonly #redactor: Redactor;
  #text = '';

  constructor(redactor: Redactor) {
    this.#redactor = redactor;
  }

  push(text: string): void {
    this.#text += text;
  }

  /** What can be told now. */
  take(): string {
    // Whole secrets are hidden first: the end of one may look like the beginning of another.
    const hidden = this.#redactor.text(this.#text);
    const open = this.#redactor.partialSecretLength(hidden);
    this.#text = hidden.slice(hidden.length - open);
    return hidden.slice(0, hidden.length - open);
  }

  /** All of it: no more comes that could complete a secret. */
  drain(): string {
    const rest = this.#redactor.text(this.#text);
    this.#text = '';
    return rest;
  }
}
