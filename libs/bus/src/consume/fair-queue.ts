/** How many messages of a consumer wait in memory. */
export interface FairQueueLimits {
  /** Messages of one key that wait for an earlier one. */
  readonly perKey: number;
  /** Messages of all keys that wait for an earlier one, or for a retry. */
  readonly total: number;
}

export const WAITING_LIMITS: FairQueueLimits = { perKey: 32, total: 2_048 };
export const UNLIMITED: FairQueueLimits = { perKey: Number.POSITIVE_INFINITY, total: Number.POSITIVE_INFINITY };

/** `overflow`: the item has no place in the queue of its key. */
export type Place = 'active' | 'waiting' | 'overflow';

/**
 * Decides which items are handled now and which wait. Only one item of a key is active. An active item and an overflowing
 * one take a slot; an item that waits takes none, so a key with many items takes one slot at a time.
 */
export class FairQueue<T> {
  readonly #limits: FairQueueLimits;
  readonly #waiting = new Map<string, T[]>();
  #active = 0;
  /** Items that wait for an earlier one, and those that wait for a retry. */
  #resting = 0;

  constructor(limits: FairQueueLimits) {
    this.#limits = limits;
  }

  /** Number of items that take a slot. */
  get active(): number {
    return this.#active;
  }

  /** Whether one more item may wait. */
  get hasRoomToWait(): boolean {
    return this.#resting < this.#limits.total;
  }

  /** Whether the key has an active item. */
  isBusy(key: string): boolean {
    return this.#waiting.has(key);
  }

  /** Adds an item. Items without a key are always active. */
  enter(key: string | undefined, item: T): Place {
    const queue = key === undefined ? undefined : this.#waiting.get(key);
    if (queue && queue.length < this.#limits.perKey && this.hasRoomToWait) {
      queue.push(item);
      this.#resting += 1;
      return 'waiting';
    }
    this.#active += 1;
    if (queue) return 'overflow';
    if (key !== undefined) this.#waiting.set(key, []);
    return 'active';
  }

  /** Removes the active item of a key. Returns the next one, which is active now. */
  leave(key: string): T | undefined {
    const next = this.#waiting.get(key)?.shift();
    if (next === undefined) {
      this.#waiting.delete(key);
      this.#active -= 1;
    } else this.#resting -= 1;
    return next;
  }

  /** Removes an active item without a key, or an overflowing one. No other item waits for it. */
  release(): undefined {
    this.#active -= 1;
  }

  /**
   * An active item waits for a retry. It stays the active item of its key.
   * @returns whether it frees its slot; false if no more items may wait
   */
  suspend(): boolean {
    if (!this.hasRoomToWait) return false;
    this.#active -= 1;
    this.#resting += 1;
    return true;
  }

  /** An item that has freed its slot is handled again. */
  resume(): void {
    this.#active += 1;
    this.#resting -= 1;
  }
}
