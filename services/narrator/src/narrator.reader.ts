import { setTimeout as pause } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { type Bus, type BusMessage, openBucket, orderedReader, type TypedBucket } from '@reins/bus';
import { BUS, LOG, type Logger } from '@reins/service-kit';
import { NarratorService } from './narrator.service.ts';

/** The narrator's position in the event log. */
interface Position {
  readonly seq: number;
}

const STREAM = 'EVENTS';
const KEY = 'narrator';
const FILTERS = ['runtime.>', 'agent.tool.>'];
const SAVE_INTERVAL_MS = 1_000;
const RETRY_MS = 1_000;
/** Maximum number of events that are narrated concurrently. */
const MAX_CONCURRENT = 256;

/**
 * Reads the event log in order from its stored position. Events of one run are narrated in order, different runs
 * concurrently.
 */
@Injectable()
export class NarratorReader implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #stopping = new AbortController();
  readonly #runs = new Map<string, Promise<void>>();
  readonly #pending = new Set<number>();
  #lastReadSeq = 0;
  readonly #stopped = Promise.withResolvers<void>();
  #slotFreed = Promise.withResolvers<void>();
  #failed = Promise.withResolvers<never>();
  #running: Promise<void> | undefined;

  constructor(
    @Inject(BUS) private readonly bus: Bus,
    @Inject(LOG) private readonly log: Logger,
    @Inject(NarratorService) private readonly narrator: NarratorService,
  ) {}

  onApplicationBootstrap(): void {
    this.#running = this.#run();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.#stopping.abort();
    this.#stopped.resolve();
    this.#slotFreed.resolve();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        await this.#readFromPosition();
      } catch (error) {
        this.log.error({ err: error }, 'narration reader failed');
        await pause(RETRY_MS, undefined, { signal }).catch(() => {});
      }
    }
  }

  /** Reads from the stored position until the service stops. A new installation starts with new events. */
  async #readFromPosition(): Promise<void> {
    const positions = await openBucket<Position>(this.bus, 'positions');
    const saved = (await positions.get(KEY))?.value.seq;
    this.#failed = Promise.withResolvers<never>();
    this.#failed.promise.catch(() => {});
    this.#runs.clear();
    this.#pending.clear();
    this.#lastReadSeq = saved ?? 0;
    const startSeq = saved === undefined ? 'new' : saved + 1;
    const reader = await orderedReader(this.bus, {
      stream: STREAM,
      startSeq,
      filters: FILTERS,
      onMessage: (message) => this.#take(message),
    });
    const saving = setInterval(() => void this.#save(positions).catch(() => {}), SAVE_INTERVAL_MS);
    try {
      await Promise.race([reader.closed, this.#failed.promise, this.#stopped.promise]);
    } finally {
      this.#slotFreed.resolve();
      clearInterval(saving);
      await reader.stop();
      await this.#save(positions);
    }
  }

  #take(message: BusMessage): void | Promise<void> {
    const run = this.narrator.narratableRun(message);
    this.#lastReadSeq = message.seq;
    if (!run) return;
    this.#pending.add(message.seq);
    const before = this.#runs.get(run.requestId) ?? Promise.resolve();
    const done = before
      .then(() => this.narrator.take(message, run))
      .then(
        () => this.#done(message.seq),
        (error: unknown) => this.#failed.reject(error),
      );
    this.#runs.set(run.requestId, done);
    void done.then(() => {
      if (this.#runs.get(run.requestId) === done) this.#runs.delete(run.requestId);
    });
    return this.#pending.size < MAX_CONCURRENT ? undefined : this.#slotFreed.promise;
  }

  #done(seq: number): void {
    this.#pending.delete(seq);
    this.#slotFreed.resolve();
    this.#slotFreed = Promise.withResolvers<void>();
  }

  /** Saves the sequence that precedes the oldest pending event. */
  async #save(positions: TypedBucket<Position>): Promise<void> {
    const [oldest] = this.#pending;
    const seq = oldest === undefined ? this.#lastReadSeq : oldest - 1;
    if (seq > 0) await positions.put(KEY, { seq });
  }
}
