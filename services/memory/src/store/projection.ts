import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { type Bus, type BusMessage, isOverwritten, leaderOf } from '@reins/bus';
import { problemOf, ReinsError } from '@reins/contracts';
import { BUS, Health, LOG, type Logger, type LogReading, type LogStart, METRICS, OnLog } from '@reins/service-kit';
import { type LoggedChange, parseChange, STREAM } from '../log/changes.ts';
import { eraseForgotten } from './erase.ts';
import { emptyTables, readPosition, type TablesPosition } from './position.ts';
import { MemoryStore } from './store.ts';
import { writeChanges } from './write-changes.ts';

const MAX_BATCH = 1_000;
/** How long a caller waits until its change is in the tables. */
const CATCH_UP_MS = 4_000;

interface Waiter {
  readonly seq: number;
  readonly resolve: () => void;
}

/** Keeps the memory tables in sync with the stream MEMORY. */
@Injectable()
export class Projection {
  readonly #waiters = new Set<Waiter>();
  #problem: string | undefined = 'the memory tables have not been read yet';
  #pending: LoggedChange[] = [];
  /** Of the tables when reading started. */
  #tables = { created: '', generation: 0 };
  #seq = 0;
  /** The batch that is being written. */
  #writing: Promise<void> = Promise.resolve();
  #failed = Promise.withResolvers<never>();
  readonly #started = Promise.withResolvers<void>();

  constructor(
    @Inject(BUS) private readonly bus: Bus,
    @Inject(LOG) private readonly log: Logger,
    health: Health,
    private readonly store: MemoryStore,
  ) {
    health.add({ name: 'memory', reason: () => this.#problem });
  }

  /** Resolves when the tables are read for the first time. */
  get started(): Promise<void> {
    return this.#started.promise;
  }

  /** @throws ReinsError `service_unavailable` while the tables cannot be read or written */
  checkAvailable(): void {
    if (this.#problem === undefined) return;
    throw new ReinsError({
      code: 'service_unavailable',
      message: `the memory service is unavailable: ${this.#problem}`,
    });
  }

  /**
   * Resolves when the tables have the change with this sequence.
   * @throws ReinsError `service_unavailable` when that takes too long: the change is stored, and appears later
   */
  async caughtUp(seq: number): Promise<void> {
    if (this.#seq >= seq) return;
    const done = Promise.withResolvers<void>();
    const waiter = { seq, resolve: done.resolve };
    this.#waiters.add(waiter);
    const timeout = new AbortController();
    const late = sleep(CATCH_UP_MS, undefined, { signal: timeout.signal }).then(() => {
      const message = 'the change is stored, but the memory tables do not include it yet';
      throw new ReinsError({ code: 'service_unavailable', message });
    });
    try {
      await Promise.race([done.promise, late]);
    } finally {
      this.#waiters.delete(waiter);
      timeout.abort();
      late.catch(() => {});
    }
  }

  /** Follows the stream from the position of the tables. */
  async start(reading: LogReading): Promise<LogStart> {
    void reading.ended.then(() => {
      this.#problem ??= `the stream ${STREAM} is not being read`;
    });
    try {
      const applied = await this.store.migrate();
      if (applied.length > 0) this.log.info({ applied }, 'memory tables migrated');
      const from = await this.#findPosition();
      await eraseForgotten(this.bus, this.store.db);
      this.#pending = [];
      this.#failed = Promise.withResolvers<never>();
      this.#failed.promise.catch(() => {});
      this.#problem = undefined;
      this.#started.resolve();
      return { from, failed: this.#failed.promise, settled: () => this.#writing };
    } catch (error) {
      this.#problem = problemOf(error).message;
      throw error;
    }
  }

  /** Collects a message. A returned promise delays the following ones. */
  @OnLog<Projection>(STREAM, {
    position: (projection, reading) => projection.start(reading),
    gaps: METRICS.memoryGaps,
    // Messages of forgotten records are erased, also at the beginning of the stream.
    erasesMessages: true,
    onGap: (_projection, _gap, reading) => reading.restart(),
  })
  take(message: BusMessage): void | Promise<void> {
    try {
      const { seq, time } = message;
      this.#pending.push({ seq, time: time.toISOString(), change: parseChange(message.json()) });
    } catch (error) {
      this.log.error({ err: error, seq: message.seq, subject: message.subject }, 'unreadable memory change skipped');
      return;
    }
    if (this.#pending.length === 1) this.#writing = this.#writing.then(() => this.#write()).catch(this.#fail);
    return this.#pending.length < MAX_BATCH ? undefined : this.#writing;
  }

  /** Starts again from the beginning when the tables belong to another stream, or to another state of it. */
  async #findPosition(): Promise<TablesPosition> {
    for (;;) {
      const { created, state } = await this.bus.jsm.streams.info(STREAM);
      const position = await readPosition(this.store.db, created);
      const isReplaced = position.created !== created || position.seq > state.last_seq;
      if (!isReplaced && !(await isOverwritten(leaderOf(this.bus, STREAM), position))) {
        this.#tables = { created, generation: position.generation };
        this.#seq = position.seq;
        return position;
      }
      this.log.error({ position, created, lastSeq: state.last_seq }, 'stream MEMORY replaced; rebuilding tables');
      await emptyTables(this.store.db, created, position);
    }
  }

  readonly #fail = (error: unknown): void => {
    this.#problem = problemOf(error).message;
    this.#failed.reject(error);
  };

  async #write(): Promise<void> {
    const batch = this.#pending;
    this.#pending = [];
    const last = batch.at(-1);
    if (!last) return;
    await writeChanges(this.store.db, this.#tables, batch);
    this.#seq = last.seq;
    for (const waiter of this.#waiters) if (waiter.seq <= last.seq) waiter.resolve();
    if (batch.some(({ change }) => change.type === 'memory.records.forgotten'))
      await eraseForgotten(this.bus, this.store.db);
  }
}
