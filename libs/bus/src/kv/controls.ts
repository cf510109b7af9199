import { setTimeout as sleep } from 'node:timers/promises';
import { parseJson } from '@reins/contracts';
import type { Bus } from '../connection/bus.ts';
import { openBucket, type TypedBucket } from './bucket.ts';

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
/** A plain subscription may lose messages, so the stored ones are read again at this interval. */
const REREAD_MS = 10_000;
/** How often the first read is tried, and how long it waits in between: an election of the stream's leader takes less. */
const FIRST_READS = 10;
const FIRST_READ_DELAY_MS = 500;

/** Everything sent to an effect, oldest first, so that a host that starts late or restarts misses nothing. */
interface ControlState {
  readonly messages: readonly ControlMessage[];
}

/**
 * Control messages to running stages. The key is the effect id; the owner of the run writes. The host of the stage
 * subscribes to its key, so that no other host receives the messages.
 */
export class Controls {
  readonly #bus: Bus;
  readonly #bucket: TypedBucket<ControlState>;

  private constructor(bus: Bus, bucket: TypedBucket<ControlState>) {
    this.#bus = bus;
    this.#bucket = bucket;
  }

  static async open(bus: Bus): Promise<Controls> {
    return new Controls(bus, await openBucket<ControlState>(bus, 'controls'));
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
   * Delivers each message once and in order, including those sent before the watch started. While the bus is
   * unavailable, messages wait.
   * @returns a function that ends the watch
   * @throws the error of the bus when the messages that were sent before cannot be read: one may be a `cancel`
   */
  async watch(effectId: string, listener: (message: ControlMessage) => void): Promise<() => void> {
    const { nc } = this.#bus;
    if (nc.isClosed()) return () => {};
    const delivered = new Set<string>();
    const deliver = ({ messages }: ControlState): void => {
      for (const message of messages) {
        if (delivered.has(message.id)) continue;
        delivered.add(message.id);
        listener(message);
      }
    };
    const read = (): Promise<void> =>
      this.#read(effectId).then(deliver, (error: unknown) => {
        this.#bus.log.debug({ effectId, error: String(error) }, 'control messages not read');
      });
    // A write that the server rejects is seen, too. Its sender repeats it.
    const callback = (error: unknown, message?: { readonly data: Uint8Array }): void => {
      if (error) this.#bus.log.warn({ effectId, error: String(error) }, 'subscription to control messages refused');
      else if (message) deliver(stateIn(message.data));
    };
    const subscription = nc.subscribe(`$KV.controls.${effectId}`, { callback });
    const unwatch = this.#bus.onState((state) => {
      if (state === 'connected') void read();
    });
    const timer = setInterval(() => void read(), REREAD_MS).unref();
    const end = (): void => {
      clearInterval(timer);
      unwatch();
      subscription.unsubscribe();
    };
    try {
      deliver(await this.#firstRead(effectId));
    } catch (error) {
      end();
      throw error;
    }
    return end;
  }

  async #firstRead(effectId: string): Promise<ControlState> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#read(effectId);
      } catch (error) {
        if (tries === FIRST_READS) throw error;
        this.#bus.log.debug({ effectId, error: String(error) }, 'control messages not read yet');
        await sleep(FIRST_READ_DELAY_MS);
      }
    }
  }

  async #read(effectId: string): Promise<ControlState> {
    return (await this.#bucket.get(effectId))?.value ?? NONE;
  }

  /** Removes the messages of a resolved effect. */
  async clear(effectId: string): Promise<void> {
    await this.#bucket.delete(effectId);
  }
}

const NONE: ControlState = { messages: [] };

/** No messages for the tombstone of a key. */
const stateIn = (data: Uint8Array): ControlState =>
  data.length === 0 ? NONE : (parseJson(data) as unknown as ControlState);
