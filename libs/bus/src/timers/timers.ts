import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ReinsError } from '@reins/contracts';
import type { Bus } from '../connection/bus.ts';
import { type EventHeaders, HEADER } from '../publish/headers.ts';
import type { OrderedPublisher } from '../publish/ordered-publisher.ts';

export interface TimerRequest {
  /** `schedule.<p>.<ws>.<run>.<effect>`: one timer per subject. */
  readonly subject: string;
  /** Inbox subject that the message is published to when the timer is due. */
  readonly target: string;
  readonly due: Date;
  readonly data: Uint8Array;
  /** In the stream, each setting of the timer has its own id, which starts with this one. */
  readonly headers: EventHeaders;
}

export interface TimersOptions {
  readonly publisher: OrderedPublisher;
  /** Timers up to this duration exist only in this process; a restart restores them from the journal. */
  readonly inMemoryBelowMs?: number;
  /** The current time in milliseconds since the epoch. Default: the system clock. */
  readonly now?: () => number;
}

const IN_MEMORY_BELOW_MS = 30_000;
const STREAM = 'INBOX';
const CANCEL_RETRY_MS = 100;
const CANCEL_TRIES = 50;

/**
 * Timers that publish a message to the inbox when due. Delivery is at least once; handlers recognise a repeat by its
 * effect id.
 */
export class Timers {
  readonly #bus: Bus;
  readonly #publisher: OrderedPublisher;
  readonly #inMemoryBelowMs: number;
  readonly #now: () => number;
  readonly #running = new Map<string, NodeJS.Timeout>();
  readonly #settings = { by: randomUUID(), count: 0 };

  constructor(bus: Bus, options: TimersOptions) {
    this.#bus = bus;
    this.#publisher = options.publisher;
    this.#inMemoryBelowMs = options.inMemoryBelowMs ?? IN_MEMORY_BELOW_MS;
    this.#now = options.now ?? Date.now;
  }

  /**
   * Sets a timer, in place of the previous one on its subject. Resolves when it is certain to fire: immediately for a
   * short one, after the stream has stored a long one.
   */
  async set(timer: TimerRequest): Promise<void> {
    clearTimeout(this.#running.get(timer.subject));
    this.#running.delete(timer.subject);
    const wait = timer.due.getTime() - this.#now();
    if (wait <= this.#inMemoryBelowMs) return this.#run(timer, Math.max(0, wait));
    const schedule = { [HEADER.schedule]: `@at ${timer.due.toISOString()}`, [HEADER.scheduleTarget]: timer.target };
    // The server drops a repeated id, even after the first message has fired: a timer that fired too early for its
    // handler must not be lost when it is set again.
    const { by } = this.#settings;
    this.#settings.count += 1;
    const { subject, data } = timer;
    const headers = { ...timer.headers, id: `${timer.headers.id}.${by}.${this.#settings.count}` };
    await this.#publisher.publishAll([{ subject, data, headers, extra: schedule }]);
  }

  /** Cancels a timer. Resolves to true when it will not fire, to false when it has fired or was never set. */
  async cancel(subject: string): Promise<boolean> {
    const running = this.#running.get(subject);
    if (running) {
      clearTimeout(running);
      return this.#running.delete(subject);
    }
    return this.#purge(subject);
  }

  /**
   * Drops the in-process timers whose subject starts with `prefix` (by default all), because their partition has a new
   * owner.
   */
  drop(prefix = ''): void {
    for (const [subject, running] of this.#running) {
      if (!subject.startsWith(prefix)) continue;
      clearTimeout(running);
      this.#running.delete(subject);
    }
  }

  #run(timer: TimerRequest, wait: number): void {
    const fire = (): void => {
      this.#running.delete(timer.subject);
      try {
        this.#publisher.publish({ subject: timer.target, data: timer.data, headers: timer.headers }, (error) => {
          if (error) this.#bus.log.error({ subject: timer.target, error: error.message }, 'due timer rejected');
        });
      } catch (error) {
        // The publisher is closed: the run has a new owner, which sets the timer again.
        this.#bus.log.warn({ subject: timer.target, error: String(error) }, 'due timer not published');
      }
    };
    this.#running.set(timer.subject, setTimeout(fire, wait));
  }

  /**
   * Deletes a timer from the stream. If the purge removed a message, the timer was still pending. If the reply to a
   * purge was lost, that is unknown, and the timer counts as cancelled: it will not fire from now on. If it fired just
   * before, its message refers to a resolved effect.
   */
  async #purge(subject: string): Promise<boolean> {
    for (let attempt = 1; ; attempt++) {
      try {
        const { purged } = await this.#bus.jsm.streams.purge(STREAM, { filter: subject });
        return purged > 0 || attempt > 1;
      } catch (error) {
        if (attempt === CANCEL_TRIES || this.#bus.nc.isClosed()) {
          const message = `cannot cancel a timer: ${String(error)}`;
          throw new ReinsError({ code: 'bus_unavailable', message, path: subject });
        }
        await sleep(CANCEL_RETRY_MS);
      }
    }
  }
}
