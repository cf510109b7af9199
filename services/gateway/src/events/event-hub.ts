import { LRUCache } from 'lru-cache';
import type { EventFrame } from './frames.ts';

export type Listener = (frame: EventFrame) => void;

/** The most recent runs whose last sequence is kept. */
const MAX_RECENT_RUNS = 10_000;
/** The most runs whose first events are held for their submitter, and the most events of each. */
const HELD_RUNS = 512;
const HELD_EVENTS = 32;

/** Fans out events to the clients that watch their runs. Each event is read once per process. */
export class EventHub {
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #closers = new Set<() => void>();
  /** The sequence of the last event of recent runs. */
  readonly #lastSeq = new LRUCache<string, number>({ max: MAX_RECENT_RUNS });
  readonly #held = new LRUCache<string, EventFrame[]>({ max: HELD_RUNS });

  get watchers(): number {
    return this.#closers.size;
  }

  /**
   * @param closed called when events may be missing: the listener must subscribe again
   * @returns a function that ends the subscription
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
   * Buffers the events of a run that is about to start. The submitter of a request usually reads its events next, and
   * the buffer saves a search of the log.
   */
  hold(requestId: string): void {
    this.#held.set(requestId, []);
  }

  /** Takes all events of the run so far from the buffer; undefined when they are only in the log. */
  takeHeld(requestId: string): readonly EventFrame[] | undefined {
    const held = this.#held.get(requestId);
    this.#held.delete(requestId);
    return held;
  }

  publish(frame: EventFrame): void {
    const held = frame.seq === undefined ? undefined : this.#held.get(frame.requestId);
    if (held && held.push(frame) > HELD_EVENTS) this.#held.delete(frame.requestId);
    for (const listener of this.#listeners.get(frame.requestId) ?? []) listener(frame);
  }

  /** Records the sequence of the last event of a run. */
  recordSeq(requestId: string, seq: number): void {
    this.#lastSeq.set(requestId, seq);
  }

  /** The sequence of the last event of a run; undefined for a run without recent events. */
  lastSeq(requestId: string): number | undefined {
    return this.#lastSeq.get(requestId);
  }

  /** Forgets the last sequences. Call it after missed events: a log that was rolled back gives them to other events. */
  forgetSeqs(): void {
    this.#lastSeq.clear();
  }

  /** Ends all subscriptions. */
  closeAll(): void {
    this.#held.clear();
    for (const close of [...this.#closers]) close();
  }
}
