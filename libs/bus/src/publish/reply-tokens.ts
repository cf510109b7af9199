/**
 * Tokens under which answers come back. A message that was sent once is answered once: its token is free then, so that few are ever needed.
 * The server remembers for some hundred subjects where an answer goes; with another subject for every message it would look up each.
 */
export class ReplyTokens {
  readonly #free: number[] = [];
  #next = 0;

  take(): number {
    return this.#free.pop() ?? this.#next++;
  }

  /** Only where nothing can come back under it any more; one whose message was sent again is never used again. */
  free(token: number): void {
    this.#free.push(token);
  }
}
