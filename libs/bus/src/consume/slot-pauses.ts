/** So many messages may fail in a row before slots pause, however few slots there are. */
const MIN_ROW = 4;
/** A slot pauses for this share of the delay after which its message is delivered again. */
const PAUSED_SHARE = 1 / 4;

/**
 * Limits what is taken while a dependency of the handler is away. A message that failed waits on the server and frees
 * its slot. Without a limit, the whole backlog would be taken and tried in turn. Once more messages than there are slots
 * have failed in a row, each failure pauses a slot. Redelivered messages come first, so they soon use all slots. A success
 * ends all pauses. A few messages that fail for a reason of their own pause nothing.
 */
export class SlotPauses {
  readonly #onEnd: () => void;
  /** Sequences of the messages that failed since the last success. */
  readonly #row = new Set<number>();
  readonly #timers = new Set<NodeJS.Timeout>();

  /** @param onEnd called when slots can be used again */
  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
  }

  /** The number of slots that pause. */
  get size(): number {
    return this.#timers.size;
  }

  /** @param delayMs how long the message waits before it is delivered again */
  failed(seq: number, delayMs: number, slots: number): void {
    this.#row.add(seq);
    if (this.#row.size <= Math.max(slots, MIN_ROW)) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.#onEnd();
    }, delayMs * PAUSED_SHARE);
    this.#timers.add(timer);
  }

  succeeded(): void {
    if (this.#row.size === 0) return;
    this.#row.clear();
    if (this.#timers.size === 0) return;
    this.stop();
    this.#onEnd();
  }

  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }
}
