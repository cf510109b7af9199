import type { Bus } from '../connection/bus.ts';
import { openBucket, type TypedBucket } from './bucket.ts';
import type { Watch } from './watch.ts';

/** What goes down to a running stage. */
export interface ControlMessage {
  /** A message with an id that was sent before changes nothing. */
  readonly id: string;
  readonly kind: 'answer' | 'approval' | 'cancel' | 'compact' | 'nudge';
  readonly body?: unknown;
}

/** Longer than any stage may wait and run; what nobody reads any more goes by itself. */
const ORDERS_TTL_MS = 7 * 24 * 60 * 60 * 1000;

/** All that was sent to an effect, oldest first: a host that comes late, or comes back, misses nothing. */
interface ControlState {
  readonly messages: readonly ControlMessage[];
}

/** Messages to running stages: key = effectId, written by the owner of the run, watched by the host. */
export class Controls {
  readonly #bucket: TypedBucket<ControlState>;
  /** What stands in the bucket, and who listens: one watch for all effects, since a consumer for each stage costs more than the stage. */
  readonly #states = new Map<string, ControlState>();
  readonly #listeners = new Map<string, Set<() => void>>();
  #watch: Promise<Watch> | undefined;

  private constructor(bucket: TypedBucket<ControlState>) {
    this.#bucket = bucket;
  }

  static async open(bus: Bus): Promise<Controls> {
    return new Controls(await openBucket<ControlState>(bus, 'controls'));
  }

  /** Sending the same message again changes nothing. */
  async send(effectId: string, message: ControlMessage): Promise<void> {
    for (;;) {
      const current = await this.#bucket.get(effectId);
      const messages = current?.value.messages ?? [];
      if (messages.some(({ id }) => id === message.id)) return;
      const next: ControlState = { messages: [...messages, message] };
      const stored = current
        ? await this.#bucket.update(effectId, next, current.revision, ORDERS_TTL_MS)
        : await this.#bucket.create(effectId, next, ORDERS_TTL_MS);
      if (stored !== undefined) return;
    }
  }

  /**
   * Each message once, in order, also those sent before the watch began.
   * @returns what ends it
   */
  async watch(effectId: string, listener: (message: ControlMessage) => void): Promise<() => void> {
    await this.#follow();
    const told = new Set<string>();
    const look = (): void => {
      for (const message of this.#states.get(effectId)?.messages ?? []) {
        if (told.has(message.id)) continue;
        told.add(message.id);
        listener(message);
      }
    };
    const listeners = this.#listeners.get(effectId) ?? new Set();
    this.#listeners.set(effectId, listeners.add(look));
    look();
    return () => {
      listeners.delete(look);
      if (listeners.size === 0) this.#listeners.delete(effectId);
    };
  }

  /** Ends the watch that all share. */
  async close(): Promise<void> {
    (await this.#watch)?.stop();
  }

  async #follow(): Promise<void> {
    this.#watch ??= this.#bucket.watch({}, (key, entry) => {
      if (entry) this.#states.set(key, entry.value);
      else this.#states.delete(key);
      for (const look of this.#listeners.get(key) ?? []) look();
    });
    // One that could not begin is begun again by the next who asks.
    this.#watch.catch(() => {
      this.#watch = undefined;
    });
    await (await this.#watch).current;
  }

  /** Removes what was sent to an effect that is resolved. */
  async clear(effectId: string): Promise<void> {
    await this.#bucket.delete(effectId);
  }
}
