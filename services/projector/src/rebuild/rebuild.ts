import { type Bus, type BusMessage, orderedReader } from '@reins/bus';
import { ReinsError } from '@reins/contracts';
import type { Database } from '@reins/store';
import {
  APPROVALS,
  ARTIFACTS,
  EVENTS,
  type FinalRows,
  type LogItem,
  onceEach,
  REQUESTS,
  readCheckpoint,
  SESSIONS,
  ShadowFold,
  ShadowTables,
  STAGE_RUNS,
  TRACE_VIEWS,
  UNREADABLE,
  USAGE,
  unreadableMessage,
  writeBatch,
} from '@reins/store';
import { LogReader } from '../log-reader.ts';
import { checkpointAfter, LOG_STREAM, logState } from '../start-position.ts';

/** How far a rebuild has come. */
export interface RebuildProgress {
  readonly phase: 'copying' | 'catching_up' | 'done';
  /** Messages of the log that are in the new tables. */
  readonly messages: number;
  /** Of so many that there were when it began; more come meanwhile. */
  readonly of: number;
}

export interface RebuildPorts {
  readonly bus: Bus;
  readonly db: Database;
  readonly databaseUrl: string;
  /** Runs something while the projector writes nothing, and lets it go on from its checkpoint afterwards. */
  readonly whilePaused: (work: () => Promise<void>) => Promise<void>;
  readonly onProgress: (progress: RebuildProgress) => void;
}

const BATCH = 5_000;

/**
 * Makes the read model anew from the log, in tables beside the live ones, while events keep coming and readers keep reading; then puts
 * the new ones in their place. Requests older than the log keep their rows. A failure leaves the live tables as they were.
 * @throws ReinsError `internal_error` when the read model has nothing to rebuild from; of the bus; pg.DatabaseError
 */
export async function rebuild({ bus, db, databaseUrl, whilePaused, onProgress }: RebuildPorts): Promise<void> {
  const checkpoint = await readCheckpoint(db);
  const log = await logState(bus);
  if (checkpoint?.stream !== log.identity)
    throw new ReinsError({ code: 'service_unavailable', message: 'the projector has not begun with this log yet' });
  const { generation } = checkpoint;
  const shadow = await ShadowTables.create(databaseUrl);
  try {
    const refused = await refusedBefore(db, generation);
    let copied = 0;
    const progress = (phase: RebuildProgress['phase'], messages: number): void =>
      onProgress({ phase, messages, of: log.lastSeq - log.firstSeq + 1 });
    const fold = new ShadowFold();
    const seen = new Set<string>();
    for await (const batch of logBatches(bus, log.firstSeq, log.lastSeq)) {
      const items = onceEach(
        batch.map(({ item, message }) => markRefused(item, message, refused)),
        seen,
      );
      await copyFinal(shadow, fold.take(items, generation));
      copied += batch.length;
      progress('copying', copied);
    }
    await copyOpen(shadow, fold);
    await whilePaused(async () => {
      const now = await readCheckpoint(db);
      if (now?.stream !== log.identity || now.generation !== generation)
        throw new ReinsError({ code: 'service_unavailable', message: 'the log was replaced during the rebuild' });
      for await (const batch of logBatches(bus, log.lastSeq + 1, now.seq)) {
        const last = batch.at(-1);
        if (!last) continue;
        const items = batch.map(({ item, message }) => markRefused(item, message, refused));
        await writeBatch(shadow.db, items, checkpointAfter(checkpoint, last.message));
        copied += batch.length;
        progress('catching_up', copied);
      }
      await shadow.swap({ generation, firstSeq: log.firstSeq });
    });
    progress('done', copied);
  } finally {
    await shadow.close();
  }
}

interface Read {
  readonly item: LogItem;
  readonly message: BusMessage;
}

/** The log from a sequence up to another one, both included, in parts. */
async function* logBatches(bus: Bus, fromSeq: number, toSeq: number): AsyncGenerator<Read[]> {
  if (toSeq < fromSeq) return;
  const reader = await LogReader.open(bus);
  let waiting: Read[] = [];
  let wake = Promise.withResolvers<void>();
  let room = Promise.withResolvers<void>();
  let ended = false;
  const stream = await orderedReader(bus, {
    stream: LOG_STREAM,
    startSeq: fromSeq,
    onMessage: async (message) => {
      if (ended) return;
      if (message.seq <= toSeq) waiting.push({ item: await reader.read(message), message });
      ended = message.seq >= toSeq || message.pending === 0;
      if (ended || waiting.length >= BATCH) wake.resolve();
      if (waiting.length >= 2 * BATCH) await room.promise;
    },
  });
  try {
    while (!ended || waiting.length > 0) {
      await Promise.race([wake.promise, stream.closed]);
      const batch = waiting;
      waiting = [];
      if (!ended) wake = Promise.withResolvers<void>();
      room.resolve();
      room = Promise.withResolvers<void>();
      yield batch;
    }
  } finally {
    ended = true;
    room.resolve();
    await stream.stop();
  }
}

/** Messages that Postgres refused when they were projected: it would refuse them again. */
async function refusedBefore(db: Database, generation: number): Promise<ReadonlyMap<number, string>> {
  const rows = await db
    .selectFrom('unreadable_messages')
    .select(['seq', 'message'])
    .where('generation', '=', generation)
    .where('code', '=', 'event_unstorable')
    .execute();
  return new Map(rows.map(({ seq, message }) => [seq, message]));
}

function markRefused(item: LogItem, message: BusMessage, refused: ReadonlyMap<number, string>): LogItem {
  const reason = refused.get(message.seq);
  return reason === undefined
    ? item
    : { unreadable: unreadableMessage(message, { code: 'event_unstorable', message: reason }) };
}

async function copyFinal(shadow: ShadowTables, rows: FinalRows): Promise<void> {
  await shadow.copy(EVENTS, rows.events);
  await shadow.copy(TRACE_VIEWS, rows.trace_views);
  await shadow.copy(USAGE, rows.usage);
  await shadow.copy(UNREADABLE, rows.unreadable_messages);
}

async function copyOpen(shadow: ShadowTables, fold: ShadowFold): Promise<void> {
  const rows = fold.open();
  await shadow.copy(REQUESTS, rows.requests);
  await shadow.copy(SESSIONS, rows.sessions);
  await shadow.copy(STAGE_RUNS, rows.stage_runs);
  await shadow.copy(APPROVALS, rows.approvals);
  await shadow.copy(ARTIFACTS, rows.artifacts);
}
