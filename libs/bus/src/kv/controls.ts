import type { Bus } from '../connection/bus.ts';
import { openBucket, type TypedBucket } from './bucket.ts';
import type { Watch } from './watch.ts';

/** A control message to a running stage. */
export interface ControlMessage {
  /** A message with an id that was already sent is ignored. */
  readonly id: string;
  readonly kind: 'answer' | 'approval' | 'cancel' | 'compact' | 'nudge';
  /** The attempt that the message is for. Messages of earlier versions lack it, and are for every attempt. */
  readonly attempt?: number;
  readonly body?: unknown;
}

/** Longer than any stage may wait and run. Unread messages expire. */
const MESSAGES_TTL_MS = 7 * 24 * 60 * 60 * 1000;

/** Everything sent to an effect, oldest first, so that a host that starts late or restarts misses nothing. */
interface ControlState {
  readonly messages: readonly ControlMessage[];
}

/** Control messages to running stages. The key is the effect id; the owner of the run writes, the host watches. */
export class Controls {
  readonly #bucket: TypedBucket<ControlState>;
  /**
   * Current state by effect, and its listeners. All effects share one watch, since a consumer per stage would cost more
   * than the stage.
   */
  readonly #states = new Map<string, ControlState>();
  readonly #listeners = new Map<string, Set<() => void>>();
  #watch: Promise<Watch> | undefined;

  private constructor(bucket: TypedBucket<ControlState>) {
    this.#bucket = bucket;
  }

  static async open(bus: Bus): Promise<Controls> {
    return new Controls(await openBucket<ControlState>(bus, 'controls'));
  }

  /** Sends a message. Sending it again has no effect. Removes the messages for earlier attempts. */
  async send(effectId: string, message: ControlMessage): Promise<void> {
    const { attempt = 1 } = message;
    for (;;) {
      const current = await this.#bucket.get(effectId);
      const messages = current?.value.messages ?? [];
      if (messages.some(({ id }) => id === message.id)) return;
      const kept = messages.filter(({ attempt: other = attempt }) => other >= attempt);
      const next: ControlState = { messages: [...kept, message] };
      const stored = current
        ? await this.#bucket.update(effectId, next, current.revision, MESSAGES_TTL_MS)
        : await this.#bucket.create(effectId, next, MESSAGES_TTL_MS);
      if (stored !== undefined) return;
    }
  }

  /**
   * Delivers each message once and in order, including those sent before the watch started.
   * @returns a function that ends the watch
   */
  async watch(effectId: string, listener: (message: ControlMessage) => void): Promise<() => void> {
    await this.#startWatch();
    const delivered = new Set<string>();
    const deliver = (): void => {
      for (const message of this.#states.get(effectId)?.messages ?? []) {
        if (delivered.has(message.id)) continue;
        delivered.add(message.id);
        listener(message);
      }
    };
    const listeners = this.#listeners.get(effectId) ?? new Set();
    this.#listeners.set(effectId, listeners.add(deliver));
    deliver();
    return () => {
      listeners.delete(deliver);
      if (listeners.size === 0) this.#listeners.delete(effectId);
    };
  }

  /** Ends the shared watch. */
  async close(): Promise<void> {
    (await this.#watch)?.stop();
  }

  async #startWatch(): Promise<void> {
    this.#watch ??= this.#bucket.watch({}, (key, entry) => {
      if (entry) this.#states.set(key, entry.value);
      else this.#states.delete(key);
      for (const deliver of this.#listeners.get(key) ?? []) deliver();
    });
    // A watch that failed to start is started again by the next caller.
    this.#watch.catch(() => {
      this.#watch = undefined;
    });
    await (await this.#watch).current;
  }

  /** Removes the messages of a resolved effect. */
  async clear(effectId: string): Promise<void> {
    await this.#bucket.delete(effectId);
  }
}
