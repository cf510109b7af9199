import type { EventFrame } from './frames.ts';

export type Listener = (told: EventFrame) => void;

const REMEMBERED = 10_000;
/** Runs whose first events are held for whoever submitted them, and how many events of each. */
const HELD_RUNS = 512;
const HELD_EVENTS = 32;

/** Hands the events that this process reads once to everybody who watches their runs. */
export class EventHub {
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #closers = new Set<() => void>();
  /** Sequence of the last event of recent runs, oldest first. */
  readonly #lastSeq = new Map<string, number>();
  readonly #held = new Map<string, EventFrame[]>();

  get watchers(): number {
    return this.#closers.size;
  }

  /**
   * @param closed called when events may be missing from here on: whoever listens starts anew
   * @returns what ends the subscription
   */
  subscribe(requestId: string, listener: Listener, closed: () => void): () => void {
    const listeners = this.#listeners.get(requestId) ?? new Set();
    this.#listeners.set(requestId, listeners.add(listener));
    this.#closers.add(closed);
    return () => {
      this.#closers.delete(closed);
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(requestId) === listeners) this.#listeners.delete(requestId);
    };
  }

  isWatched(requestId: string): boolean {
    return this.#listeners.has(requestId) || this.#held.has(requestId);
  }

  /**
   * Holds all events of a run that is about to begin: who submits a request nearly always reads its events next, and then the log has
   * not to be searched for them.
   */
  hold(requestId: string): void {
    this.#held.set(requestId, []);
    const [oldest] = this.#held.keys();
    if (this.#held.size > HELD_RUNS && oldest !== undefined) this.#held.delete(oldest);
  }

  /** Every event of the run so far, for one who has just subscribed; undefined where only the log has them. */
  takeHeld(requestId: string): readonly EventFrame[] | undefined {
    const held = this.#held.get(requestId);
    this.#held.delete(requestId);
    return held;
  }

  publish(told: EventFrame): void {
    const held = told.seq === undefined ? undefined : this.#held.get(told.requestId);
    if (held && held.push(told) > HELD_EVENTS) this.#held.delete(told.requestId);
    for (const listener of this.#listeners.get(told.requestId) ?? []) listener(told);
  }

  /** Notes how far the log tells of a run. */
  saw(requestId: string, seq: number): void {
    this.#lastSeq.delete(requestId);
    this.#lastSeq.set(requestId, seq);
    if (this.#lastSeq.size <= REMEMBERED) return;
    const [oldest] = this.#lastSeq.keys();
    if (oldest !== undefined) this.#lastSeq.delete(oldest);
  }

  /** Sequence of the last event of a run, if it is one that this process has seen lately. */
  lastSeq(requestId: string): number | undefined {
    return this.#lastSeq.get(requestId);
  }

  /** Ends all subscriptions. */
  closeAll(): void {
    this.#held.clear();
    for (const close of [...this.#closers]) close();
  }
}
