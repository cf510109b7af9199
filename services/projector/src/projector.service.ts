import { Inject, Injectable } from '@nestjs/common';
import type { Bus, BusMessage } from '@reins/bus';
import { BUS, Health, LOG, type Logger, Settings, TELEMETRY, type Telemetry } from '@reins/service-kit';
import { type Checkpoint, type Database, type LogItem, migrate, openDatabase, readCheckpoint } from '@reins/store';
import { Registry } from 'prom-client';
import { traceBatch } from './batch-trace.ts';
import { BatchWriter, type Step } from './batch-writer.ts';
import { Batcher } from './batcher.ts';
import { LogReader } from './log-reader.ts';
import { endLostRequests } from './lost-requests.ts';
import { ProjectorMetrics } from './metrics.ts';
import { type RebuildPorts, rebuild } from './rebuild/rebuild.ts';
import { checkpointAfter, findStartPosition } from './start-position.ts';

const MAX_BATCH = 1_000;
/** Between two batches, where the one before was not full: how far the read model may be behind for the sake of fewer transactions. */
const REST_MS = 25;

/** Keeps the read model in step with the log. The only writer of its tables. */
@Injectable()
export class ProjectorService {
  readonly #bus: Bus;
  readonly #log: Logger;
  readonly #telemetry: Telemetry;
  readonly #partitions: number;
  readonly #databaseUrl: string;
  readonly #db: Database;
  readonly #metrics: ProjectorMetrics;
  readonly #stopping = new AbortController();
  readonly #progress = new Progress();
  #problem: string | undefined = 'not started yet';

  constructor(
    @Inject(BUS) bus: Bus,
    @Inject(LOG) log: Logger,
    @Inject(Settings) { database, nats }: Settings,
    @Inject(Health) health: Health,
    @Inject(Registry) registry: Registry,
    @Inject(TELEMETRY) telemetry: Telemetry,
  ) {
    this.#bus = bus;
    this.#log = log;
    this.#telemetry = telemetry;
    this.#partitions = nats.partitions;
    this.#databaseUrl = database.url;
    const onConnectionError = (err: Error): void => log.debug({ err }, 'a connection to Postgres was lost');
    this.#db = openDatabase({ url: database.url, name: 'reins-projector', maxConnections: 2, onConnectionError });
    this.#metrics = new ProjectorMetrics(registry, () => this.#progress.lag());
    health.add({ name: 'postgres', reason: () => this.#problem });
  }

  /** Brings the schema up to date and finds the place in the log; waits for a Postgres that is away. */
  async begin(): Promise<Projection> {
    const writer = new BatchWriter(this.#db, {
      log: this.#log,
      signal: this.#stopping.signal,
      onState: (problem) => {
        this.#problem = problem;
      },
      onWritten: (result, seconds) => this.#metrics.written(result, seconds),
    });
    const applied = await writer.untilDone(() => migrate(this.#db));
    if (applied.length > 0) this.#log.info({ applied }, 'the schema of the read model is up to date');
    const known = await writer.untilDone(() => readCheckpoint(this.#db));
    const { checkpoint, reason } = await findStartPosition(this.#bus, known);
    const level = reason === 'first' || reason === 'resumed' ? 'info' : 'error';
    this.#log[level](
      { reason, ...checkpoint, before: known },
      `projecting from sequence ${checkpoint.seq + 1}: ${reason}`,
    );
    if (level === 'error') this.#metrics.gap(reason);
    if (reason === 'rewound' || reason === 'replaced') {
      const lost = await writer.untilDone(() => endLostRequests(this.#bus, this.#db, this.#partitions));
      if (lost.length > 0) this.#log.error({ requests: lost }, `${lost.length} requests that had not ended are lost`);
    }
    const parts = { writer, progress: this.#progress, telemetry: this.#telemetry };
    return new Projection(checkpoint, await LogReader.open(this.#bus), parts);
  }

  /** Makes the read model anew. @throws what `rebuild` throws; the read model is as it was then */
  async rebuild(whilePaused: RebuildPorts['whilePaused'], onProgress: RebuildPorts['onProgress']): Promise<void> {
    this.#log.info({}, 'the read model is rebuilt');
    await rebuild({ bus: this.#bus, db: this.#db, databaseUrl: this.#databaseUrl, whilePaused, onProgress });
    this.#log.info({}, 'the read model was rebuilt');
  }

  /** The log no longer has what comes next. */
  gap(reason: string, from: number, to: number): void {
    this.#metrics.gap(reason);
    this.#log.error({ reason, from, to }, 'messages of the log are gone before they were projected');
  }

  /** Nothing is waited for any more. */
  abort(): void {
    this.#stopping.abort(new Error('the projector stops'));
  }

  async close(): Promise<void> {
    await this.#db.destroy();
  }
}

interface ProjectionParts {
  readonly writer: BatchWriter;
  readonly progress: Progress;
  readonly telemetry: Telemetry;
}

/** Projecting from one checkpoint on. */
export class Projection {
  readonly #reader: LogReader;
  readonly #batches: Batcher<Step>;
  readonly #progress: Progress;
  /** Of the last message taken. */
  #checkpoint: Checkpoint;

  constructor(checkpoint: Checkpoint, reader: LogReader, { writer, progress, telemetry }: ProjectionParts) {
    this.#checkpoint = checkpoint;
    this.#reader = reader;
    this.#progress = progress;
    progress.written(checkpoint.seq, undefined);
    this.#batches = new Batcher(
      MAX_BATCH,
      async (steps) => {
        const from = Date.now();
        await writer.write(steps);
        traceBatch(telemetry, steps, from);
        const last = steps.at(-1)?.message;
        if (last) progress.written(last.seq, last.time);
      },
      REST_MS,
    );
  }

  get nextSeq(): number {
    return this.#checkpoint.seq + 1;
  }

  /** Takes the next message; a promise holds back the ones after it. */
  take(message: BusMessage): void | Promise<void> {
    const item = this.#reader.read(message);
    return item instanceof Promise ? item.then((read) => this.#add(message, read)) : this.#add(message, item);
  }

  /** Rejects when what was taken cannot be written. */
  get failed(): Promise<never> {
    return this.#batches.failed;
  }

  /** Resolves when everything taken is written. */
  settled(): Promise<void> {
    return this.#batches.settled();
  }

  #add(message: BusMessage, item: LogItem): void | Promise<void> {
    this.#checkpoint = checkpointAfter(this.#checkpoint, message);
    this.#progress.taken(message);
    return this.#batches.add({ item, message, checkpoint: this.#checkpoint });
  }
}

/** How far the log was read and written. */
class Progress {
  #writtenSeq = 0;
  #writtenAt: Date | undefined;
  #taken = 0;
  #behind = 0;

  taken(message: BusMessage): void {
    this.#taken = message.seq;
    this.#behind = message.pending;
    this.#writtenAt ??= message.time;
  }

  written(seq: number, at: Date | undefined): void {
    this.#writtenSeq = seq;
    this.#taken = Math.max(this.#taken, seq);
    this.#writtenAt = at;
  }

  lag(): { readonly events: number; readonly seconds: number; readonly seq: number } {
    const events = this.#taken - this.#writtenSeq + this.#behind;
    const since = events > 0 && this.#writtenAt ? Date.now() - this.#writtenAt.getTime() : 0;
    return { events, seconds: Math.max(0, since / 1000), seq: this.#writtenSeq };
  }
}
