import { setTimeout as pause } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import {
  type Bus,
  type BusMessage,
  openBucket,
  orderedReader,
  positionOf,
  type Reader,
  type ReaderGap,
  type StreamPosition,
  type TypedBucket,
} from '@reins/bus';
import { BUS, LOG, type Logger, METRICS, newCounter } from '@reins/service-kit';
import { type Counter, Registry } from 'prom-client';
import { NarratorService } from './narrator.service.ts';

const STREAM = 'EVENTS';
const KEY = 'narrator';
const FILTERS = ['runtime.>', 'agent.tool.>'];
const SAVE_INTERVAL_MS = 1_000;
const RETRY_MS = 1_000;
/** Maximum number of events that are narrated concurrently. */
const MAX_CONCURRENT = 256;

/** An event that is being narrated. */
interface PendingEvent {
  /** The position after the event that was read before it. */
  readonly before: StreamPosition | undefined;
}

/**
 * Reads the event log in order from its stored position. Events of one run are narrated in order, different runs
 * concurrently.
 */
@Injectable()
export class NarratorReader implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #stopping = new AbortController();
  readonly #runs = new Map<string, Promise<void>>();
  /** In the order of the log. */
  readonly #pending = new Set<PendingEvent>();
  #lastRead: StreamPosition | undefined;
  readonly #gaps: Counter;
  readonly #stopped = Promise.withResolvers<void>();
  #slotFreed = Promise.withResolvers<void>();
  #failed = Promise.withResolvers<never>();
  #running: Promise<void> | undefined;

  constructor(
    @Inject(BUS) private readonly bus: Bus,
    @Inject(LOG) private readonly log: Logger,
    @Inject(NarratorService) private readonly narrator: NarratorService,
    @Inject(Registry) registry: Registry,
  ) {
    this.#gaps = newCounter(registry, METRICS.narratorGaps);
  }

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
    const positions = await openBucket<StreamPosition>(this.bus, 'positions');
    const saved = (await positions.get(KEY))?.value;
    this.#failed = Promise.withResolvers<never>();
    this.#failed.promise.catch(() => {});
    this.#runs.clear();
    this.#pending.clear();
    this.#lastRead = saved;
    const reader: Reader = await orderedReader(this.bus, {
      stream: STREAM,
      from: saved ?? 'new',
      filters: FILTERS,
      onMessage: (message) => this.#take(message, positionOf(reader.created, message)),
      onGap: (gap) => this.#reportGap(gap),
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

  /** The reader continues with what is new in the log. Narrations of lost events are lost with them. */
  #reportGap({ reason, expectedSeq, nextSeq }: ReaderGap): void {
    this.#gaps.inc({ reason });
    this.log.error({ reason, from: expectedSeq, to: nextSeq }, 'gap found in the event log');
  }

  #take(message: BusMessage, position: StreamPosition): void | Promise<void> {
    const run = this.narrator.narratableRun(message);
    const pending = { before: this.#lastRead };
    this.#lastRead = position;
    if (!run) return;
    this.#pending.add(pending);
    const before = this.#runs.get(run.requestId) ?? Promise.resolve();
    const done = before
      .then(() => this.narrator.take(message, run))
      .then(
        () => this.#done(pending),
        (error: unknown) => this.#failed.reject(error),
      );
    this.#runs.set(run.requestId, done);
    void done.then(() => {
      if (this.#runs.get(run.requestId) === done) this.#runs.delete(run.requestId);
    });
    return this.#pending.size < MAX_CONCURRENT ? undefined : this.#slotFreed.promise;
  }

  #done(pending: PendingEvent): void {
    this.#pending.delete(pending);
    this.#slotFreed.resolve();
    this.#slotFreed = Promise.withResolvers<void>();
  }

  /** Saves the position before the oldest pending event. */
  async #save(positions: TypedBucket<StreamPosition>): Promise<void> {
    const [oldest] = this.#pending;
    const position = oldest === undefined ? this.#lastRead : oldest.before;
    if (position) await positions.put(KEY, position);
  }
}
