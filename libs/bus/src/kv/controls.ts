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

  /** Each message once, in order, also those sent before the watch began. */
  watch(effectId: string, listener: (message: ControlMessage) => void): Promise<Watch> {
    const told = new Set<string>();
    return this.#bucket.watch({ filter: effectId }, (_key, entry) => {
      for (const message of entry?.value.messages ?? []) {
        if (told.has(message.id)) continue;
        told.add(message.id);
        listener(message);
      }
    });
  }

  /** Removes what was sent to an effect that is resolved. */
  async clear(effectId: string): Promise<void> {
    await this.#bucket.delete(effectId);
  }
}
