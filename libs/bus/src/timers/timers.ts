import { setTimeout as sleep } from 'node:timers/promises';
import { ReinsError } from '@reins/contracts';
import type { Bus } from '../connection/bus.ts';
import { type EventHeaders, HEADER } from '../publish/headers.ts';
import type { OrderedPublisher } from '../publish/ordered-publisher.ts';

export interface TimerRequest {
  /** `schedule.<p>.<ws>.<run>.<effect>`: one timer each. */
  readonly subject: string;
  /** The inbox subject that the message goes to when it is due. */
  readonly target: string;
  readonly due: Date;
  readonly data: Uint8Array;
  /**
   * Set again under another id it replaces what was set; under the same id within the duplicate window it changes
   * nothing.
   */
  readonly headers: EventHeaders;
}

export interface TimersOptions {
  readonly publisher: OrderedPublisher;
  /** Waits up to this long live in this process alone; the journal brings them back. */
  readonly inMemoryBelowMs?: number;
}

const IN_MEMORY_BELOW_MS = 30_000;
const STREAM = 'INBOX';
const CANCEL_RETRY_MS = 100;
const CANCEL_TRIES = 50;

/**
 * Timers whose end is a message in the inbox. Delivery is at least once: whoever handles it knows the effect by its id.
 */
export class Timers {
  readonly #bus: Bus;
  readonly #publisher: OrderedPublisher;
  readonly #inMemoryBelowMs: number;
  readonly #running = new Map<string, NodeJS.Timeout>();

  constructor(bus: Bus, options: TimersOptions) {
    this.#bus = bus;
    this.#publisher = options.publisher;
    this.#inMemoryBelowMs = options.inMemoryBelowMs ?? IN_MEMORY_BELOW_MS;
  }

  /** Resolves when the timer will fire: at once for a short one, when the stream has it for a long one. */
  async set(timer: TimerRequest): Promise<void> {
    clearTimeout(this.#running.get(timer.subject));
    this.#running.delete(timer.subject);
    const wait = timer.due.getTime() - Date.now();
    if (wait <= this.#inMemoryBelowMs) return this.#run(timer, Math.max(0, wait));
    const schedule = { [HEADER.schedule]: `@at ${timer.due.toISOString()}`, [HEADER.scheduleTarget]: timer.target };
    const { subject, data, headers } = timer;
    await this.#publisher.publishAll([{ subject, data, headers, extra: schedule }]);
  }

  /** True = it will not fire any more; false = it has fired, or was never set. */
  async cancel(subject: string): Promise<boolean> {
    const running = this.#running.get(subject);
    if (running) {
      clearTimeout(running);
      return this.#running.delete(subject);
    }
    return this.#purge(subject);
  }

  /** Forgets the timers of this process that begin with `prefix` (all by default): their owner is another one now. */
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
          if (error) this.#bus.log.error({ subject: timer.target, error: error.message }, 'a due timer was refused');
        });
      } catch (error) {
        // The publisher is closed: the run has another owner by now, who sets the timer anew.
        this.#bus.log.warn({ subject: timer.target, error: String(error) }, 'a due timer has no publisher');
      }
    };
    this.#running.set(timer.subject, setTimeout(fire, wait));
  }

  /**
   * Whether the purge removed something says who won. After a purge whose answer was lost that is not known; then the
   * timer counts as cancelled: it will not fire from now on, and if it had fired just before, its message finds an
   * effect that is resolved.
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
