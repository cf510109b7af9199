import type { Redactor } from '../secrets/redactor.ts';

/** Redacts text that is streamed in pieces. Holds back a possible beginning of a secret until the next piece. */
export class DeltaStream {
  readonly #redactor: Redactor;
  #text = '';

  constructor(redactor: Redactor) {
    this.#redactor = redactor;
  }

  push(text: string): void {
    this.#text += text;
  }

  /** Takes the text that can be emitted now. */
  take(): string {
    // Redacts complete secrets first: the end of one may look like the beginning of another.
    const hidden = this.#redactor.text(this.#text);
    const open = this.#redactor.partialSecretLength(hidden);
    this.#text = hidden.slice(hidden.length - open);
    return hidden.slice(0, hidden.length - open);
  }

  /** Takes all remaining text at the end of the stream. */
  drain(): string {
    const rest = this.#redactor.text(this.#text);
    this.#text = '';
    return rest;
  }
}
