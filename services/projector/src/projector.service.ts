import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Bus, BusMessage, StreamPosition } from '@reins/bus';
import {
  BUS,
  Health,
  LOG,
  type Logger,
  type LogReading,
  type LogStart,
  Settings,
  TELEMETRY,
  type Telemetry,
} from '@reins/service-kit';
import {
  type Database,
  type LogItem,
  listWaitingRuns,
  migrate,
  openDatabase,
  type ProjectionPosition,
  readProjectionPosition,
} from '@reins/store';
import { Registry } from 'prom-client';
import { traceBatch } from './batch-trace.ts';
import { BatchWriter, type Step } from './batch-writer.ts';
import { Batcher } from './batcher.ts';
import { commonPosition } from './common-position.ts';
import { LogReader } from './log-reader.ts';
import { endLostRequests, forgetAfter } from './lost-requests.ts';
import { ProjectorMetrics } from './metrics.ts';
import { type RebuildPorts, rebuild } from './rebuild/rebuild.ts';
import { type FoundPosition, findStartPosition, positionAfter, streamPositionOf } from './start-position.ts';

const MAX_BATCH = 1_000;
/** Pause after a batch that was not full: accepted lag in exchange for fewer transactions. */
const PAUSE_BETWEEN_BATCHES_MS = 25;
/** Interval of counting waiting runs. */
const COUNT_MS = 5_000;

const RESTARTS = {
  rewound: 'the event log was rolled back to an earlier state',
  replaced: 'the event log was replaced by another one',
} as const;

/** Keeps the read model in sync with the event log. The only writer of its tables. */
@Injectable()
export class ProjectorService implements OnApplicationShutdown {
  readonly #bus: Bus;
  readonly #log: Logger;
  readonly #telemetry: Telemetry;
  readonly #partitions: number;
  readonly #databaseUrl: string;
  readonly #db: Database;
  readonly #metrics: ProjectorMetrics;
  readonly #progress = new Progress();
  #problem: string | undefined = 'the migration of the read model in Postgres has not ended yet';
  #counting: NodeJS.Timeout | undefined;
  /** Why the log is read from its start again, and the end of the log at that time. */
  #restarted: { readonly reason: keyof typeof RESTARTS; readonly untilSeq: number } | undefined;

  constructor(
    @Inject(BUS) bus: Bus,
    @Inject(LOG) log: Logger,
    { database, nats }: Settings,
    health: Health,
    registry: Registry,
    @Inject(TELEMETRY) telemetry: Telemetry,
  ) {
    this.#bus = bus;
    this.#log = log;
    this.#telemetry = telemetry;
    this.#partitions = nats.partitions;
    this.#databaseUrl = database.url;
    const onConnectionError = (err: Error): void => log.debug({ err }, 'Postgres connection lost');
    this.#db = openDatabase({ url: database.url, name: 'reins-projector', maxConnections: 2, onConnectionError });
    this.#metrics = new ProjectorMetrics(registry, () => this.#progress.lag());
    health.add({ name: 'postgres', reason: () => this.#problem });
    health.add({ name: 'event-log', reason: () => this.#reprojecting() });
  }

  /** Migrates the schema and determines the start position. Waits while Postgres is unavailable. */
  async start(reading: Pick<LogReading, 'stopping' | 'countGap'>): Promise<Projection> {
    const writer = new BatchWriter(this.#db, {
      log: this.#log,
      signal: reading.stopping,
      onState: (problem) => {
        this.#problem = problem;
      },
      onWritten: (result, seconds) => this.#metrics.written(result, seconds),
    });
    const applied = await writer.retryWhileUnavailable(() => migrate(this.#db));
    if (applied.length > 0) this.#log.info({ applied }, 'read model migrated');
    this.#startCounting();
    const known = await writer.retryWhileUnavailable(() => readProjectionPosition(this.#db));
    const found = await findStartPosition(this.#bus, known);
    const { position, lost } = await writer.retryWhileUnavailable(() => this.#positionIn(found));
    const { reason, log } = found;
    const level = reason === 'first' || reason === 'resumed' ? 'info' : 'error';
    this.#log[level]({ reason, ...position, before: known }, 'projection started');
    if (level === 'error') reading.countGap(reason);
    if (reason === 'rewound' || reason === 'replaced') this.#restarted = { reason, untilSeq: log.lastSeq };
    if (lost.length > 0) this.#log.error({ requests: lost }, 'lost requests ended as failed');
    const parts = { writer, progress: this.#progress, telemetry: this.#telemetry };
    return new Projection(position, await LogReader.open(this.#bus), parts);
  }

  /** Where projecting continues, and the requests that were ended because the log has lost them. */
  async #positionIn({ position, reason, log }: FoundPosition): Promise<Continuation> {
    const [bus, db, partitions] = [this.#bus, this.#db, this.#partitions];
    if (reason === 'replaced') return { position, lost: await endLostRequests(bus, db, partitions) };
    if (reason !== 'rewound') return { position, lost: [] };
    const common = await commonPosition(bus, db, position, log);
    return { position: common, lost: await forgetAfter(bus, db, common, partitions) };
  }

  /**
   * Rebuilds the read model. After a failure the read model is unchanged.
   * @throws the errors of `rebuild`
   */
  async rebuild(whilePaused: RebuildPorts['whilePaused'], onProgress: RebuildPorts['onProgress']): Promise<void> {
    this.#log.info({}, 'rebuild started');
    await rebuild({ bus: this.#bus, db: this.#db, databaseUrl: this.#databaseUrl, whilePaused, onProgress });
    this.#log.info({}, 'rebuild completed');
  }

  /** Why the read model does not match the log; undefined unless the log is being projected again. */
  #reprojecting(): string | undefined {
    const { seq } = this.#progress.lag();
    if (!this.#restarted || seq >= this.#restarted.untilSeq) return undefined;
    const { reason, untilSeq } = this.#restarted;
    return `${RESTARTS[reason]}; the log is projected again: ${seq} of ${untilSeq} messages`;
  }

  #startCounting(): void {
    if (this.#counting) return;
    const count = (): Promise<void> =>
      listWaitingRuns(this.#db).then(
        (runs) => this.#metrics.waiting(runs),
        () => this.#metrics.waiting([]),
      );
    this.#counting = setInterval(() => void count(), COUNT_MS);
    void count();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.#counting);
    await this.#db.destroy();
  }
}

interface Continuation {
  readonly position: ProjectionPosition;
  readonly lost: readonly string[];
}

interface ProjectionParts {
  readonly writer: BatchWriter;
  readonly progress: Progress;
  readonly telemetry: Telemetry;
}

/** A projection that starts at one position. */
export class Projection implements LogStart {
  readonly #reader: LogReader;
  readonly #batches: Batcher<Step>;
  readonly #progress: Progress;
  /** Position of the last received message. */
  #position: ProjectionPosition;

  constructor(position: ProjectionPosition, reader: LogReader, { writer, progress, telemetry }: ProjectionParts) {
    this.#position = position;
    this.#reader = reader;
    this.#progress = progress;
    progress.written(position.seq, undefined);
    this.#batches = new Batcher(
      MAX_BATCH,
      async (steps) => {
        const from = Date.now();
        await writer.write(steps);
        traceBatch(telemetry, steps, from);
        const last = steps.at(-1)?.message;
        if (last) progress.written(last.seq, last.time);
      },
      PAUSE_BETWEEN_BATCHES_MS,
    );
  }

  /** Where the reader of the log starts. */
  get from(): StreamPosition {
    return streamPositionOf(this.#position);
  }

  /** Takes the next message. A returned promise delays the following ones. */
  take(message: BusMessage): void | Promise<void> {
    const item = this.#reader.read(message);
    return item instanceof Promise ? item.then((read) => this.#add(message, read)) : this.#add(message, item);
  }

  /** Rejects when a received message cannot be written. */
  get failed(): Promise<never> {
    return this.#batches.failed;
  }

  /** Resolves when all received messages are written. */
  settled(): Promise<void> {
    return this.#batches.settled();
  }

  #add(message: BusMessage, item: LogItem): void | Promise<void> {
    this.#position = positionAfter(this.#position, message);
    this.#progress.taken(message);
    return this.#batches.add({ item, message, position: this.#position });
  }
}

/** Progress of reading and writing, from which the lag is computed. */
class Progress {
  #writtenSeq = 0;
  #writtenAt: Date | undefined;
  #taken = 0;
  #unread = 0;

  taken(message: BusMessage): void {
    this.#taken = message.seq;
    this.#unread = message.pending;
    this.#writtenAt ??= message.time;
  }

  written(seq: number, at: Date | undefined): void {
    this.#writtenSeq = seq;
    this.#taken = Math.max(this.#taken, seq);
    this.#writtenAt = at;
  }

  lag(): { readonly events: number; readonly seconds: number; readonly seq: number } {
    const events = this.#taken - this.#writtenSeq + this.#unread;
    const since = events > 0 && this.#writtenAt ? Date.now() - this.#writtenAt.getTime() : 0;
    return { events, seconds: Math.max(0, since / 1000), seq: this.#writtenSeq };
  }
}
