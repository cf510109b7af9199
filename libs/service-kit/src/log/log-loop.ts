import { setTimeout as sleep } from 'node:timers/promises';
import { type Bus, orderedReader, type Reader, type ReaderGap, type StreamName } from '@reins/bus';
import type { Counter } from 'prom-client';
import type { Logger } from '../logging/logger.ts';
import type { LogHandler, LogOptions, LogReading, LogStart } from './on-log.ts';
import { startAtSavedPosition } from './saved-position.ts';

/** Time until a stream is read again after an error, or after its reader has ended. */
const RESTART_MS = 500;

export interface LogLoopOptions {
  readonly bus: Bus;
  readonly log: Logger;
  readonly gaps: Counter;
  readonly stream: StreamName;
  /** The instance that has the handler. */
  readonly handlers: object;
  readonly options: LogOptions<object>;
  readonly handle: LogHandler;
  readonly stopping: AbortSignal;
}

/** Reads one stream for one handler. After an error, it starts again from the handler's position. */
export class LogLoop {
  readonly #options: LogLoopOptions;
  #isReading = false;

  constructor(options: LogLoopOptions) {
    this.#options = options;
  }

  get isReading(): boolean {
    return this.#isReading;
  }

  /** Resolves when the service stops and the last received message is handled. Never rejects. */
  async run(): Promise<void> {
    const { log, stopping, stream } = this.#options;
    while (!stopping.aborted) {
      const reading = new Reading(this.#options);
      try {
        await this.#read(reading);
      } catch (error) {
        if (!stopping.aborted) log.error({ err: error, stream }, 'reading failed; it starts again from its position');
      } finally {
        reading.end();
      }
      if (!reading.isRestarted) await sleep(RESTART_MS, undefined, { signal: stopping }).catch(() => {});
    }
  }

  async #read(reading: Reading): Promise<void> {
    const { bus, handle, options, stream } = this.#options;
    const { start, take = handle } = await this.#start(reading);
    if (reading.isEnded) return;
    const reader = await orderedReader(bus, {
      stream,
      from: start.from,
      ...(options.filters && { filters: options.filters }),
      onMessage: (message) => (reading.isEnded ? undefined : take(message, reading)),
      onGap: (gap) => this.#onGap(gap, reading),
    });
    reading.reader = reader;
    try {
      this.#missed();
      this.#isReading = true;
      await Promise.race([reader.closed, reading.ended, ...(start.failed ? [start.failed] : [])]);
    } finally {
      this.#isReading = false;
      reading.end();
      this.#missed();
      await reader.stop();
      await start.settled?.();
    }
  }

  async #start(reading: Reading): Promise<{ readonly start: LogStart; readonly take?: LogHandler }> {
    const { bus, handle, handlers, options } = this.#options;
    const { position } = options;
    if (position === 'new') return { start: { from: 'new' } };
    if (typeof position === 'function') return { start: await position(handlers, reading) };
    const saved = await startAtSavedPosition(bus, position, handle, reading);
    return { start: saved, take: saved.take };
  }

  #onGap(gap: ReaderGap, reading: Reading): void {
    const { log, options, handlers, stream } = this.#options;
    const { reason, expectedSeq, nextSeq } = gap;
    if (reason === 'trimmed' && options.erasesMessages) return;
    reading.countGap(reason);
    log.error({ stream, reason, from: expectedSeq, to: nextSeq }, 'gap found in the stream');
    options.onGap?.(handlers, gap, reading);
    this.#missed();
  }

  #missed(): void {
    const { handlers, options } = this.#options;
    options.onMissed?.(handlers);
  }
}

/** The state of one reading. */
class Reading implements LogReading {
  readonly stopping: AbortSignal;
  readonly #gaps: Counter;
  readonly #ended = Promise.withResolvers<void>();
  readonly #onStop = (): void => this.end();
  reader: Reader | undefined;
  isEnded = false;
  isRestarted = false;

  constructor({ gaps, stopping }: LogLoopOptions) {
    this.#gaps = gaps;
    this.stopping = stopping;
    stopping.addEventListener('abort', this.#onStop);
  }

  get created(): string {
    return this.reader?.created ?? '';
  }

  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  countGap(reason: string): void {
    this.#gaps.inc({ reason });
  }

  restart(): void {
    this.isRestarted = true;
    this.end();
  }

  /** Drops the messages that arrive from now on. */
  end(): void {
    this.isEnded = true;
    this.stopping.removeEventListener('abort', this.#onStop);
    this.#ended.resolve();
  }
}
