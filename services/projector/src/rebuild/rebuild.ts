import { type Bus, type BusMessage, orderedReader } from '@reins/bus';
import { ReinsError } from '@reins/contracts';
import type { Database } from '@reins/store';
import {
  type LogItem,
  READ_MODEL,
  type ReadModel,
  readProjectionPosition,
  ShadowFold,
  ShadowTables,
  unreadableMessage,
  withoutDuplicates,
  writeBatch,
} from '@reins/store';
import { LogReader } from '../log-reader.ts';
import { LOG_STREAM, logState, positionAfter } from '../start-position.ts';

/** Progress of a rebuild. */
export interface RebuildProgress {
  readonly phase: 'copying' | 'catching_up' | 'done';
  /** Number of messages in the new tables. */
  readonly messages: number;
  /** Number of messages in the event log at the start; more arrive during the rebuild. */
  readonly of: number;
}

export interface RebuildPorts {
  readonly bus: Bus;
  readonly db: Database;
  readonly databaseUrl: string;
  /** Runs work while the projector is paused; it then continues from its position. */
  readonly whilePaused: (work: () => Promise<void>) => Promise<void>;
  readonly onProgress: (progress: RebuildProgress) => void;
}

const BATCH = 5_000;

/**
 * Rebuilds the read model from the event log in shadow tables, while events are projected and the live tables are read,
 * then swaps the tables. Requests older than the log keep their rows. A failure leaves the live tables unchanged.
 * @throws ReinsError `service_unavailable` when the projector has not started with this log or the log was replaced;
 * errors of the bus; pg.DatabaseError
 */
export async function rebuild(
  { bus, db, databaseUrl, whilePaused, onProgress }: RebuildPorts,
  model: ReadModel = READ_MODEL,
): Promise<void> {
  const position = await readProjectionPosition(db);
  const log = await logState(bus);
  if (position?.stream !== log.identity)
    throw new ReinsError({
      code: 'service_unavailable',
      message: 'the projector has not started with this event log yet',
    });
  const { generation } = position;
  const shadow = await ShadowTables.create(databaseUrl, model);
  try {
    const rejected = await rejectedBefore(db, generation);
    let copied = 0;
    const progress = (phase: RebuildProgress['phase'], messages: number): void =>
      onProgress({ phase, messages, of: log.lastSeq - log.firstSeq + 1 });
    const fold = new ShadowFold();
    const seen = new Set<string>();
    for await (const batch of logBatches(bus, log.firstSeq, log.lastSeq)) {
      const items = withoutDuplicates(
        batch.map(({ item, message }) => markRejected(item, message, rejected)),
        seen,
      );
      await shadow.copy(fold.take(items, generation));
      copied += batch.length;
      progress('copying', copied);
    }
    await shadow.copy(fold.mutableRows());
    await whilePaused(async () => {
      const now = await readProjectionPosition(db);
      if (now?.stream !== log.identity || now.generation !== generation)
        throw new ReinsError({ code: 'service_unavailable', message: 'the event log was replaced during the rebuild' });
      for await (const batch of logBatches(bus, log.lastSeq + 1, now.seq)) {
        const last = batch.at(-1);
        if (!last) continue;
        const items = batch.map(({ item, message }) => markRejected(item, message, rejected));
        await writeBatch(shadow.db, items, positionAfter(position, last.message), model);
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

interface ReadMessage {
  readonly item: LogItem;
  readonly message: BusMessage;
}

/** Reads the event log between two sequences, both inclusive, in batches. */
async function* logBatches(bus: Bus, fromSeq: number, toSeq: number): AsyncGenerator<ReadMessage[]> {
  if (toSeq < fromSeq) return;
  const reader = await LogReader.open(bus);
  let waiting: ReadMessage[] = [];
  let wake = Promise.withResolvers<void>();
  let hasCapacity = Promise.withResolvers<void>();
  let ended = false;
  const stream = await orderedReader(bus, {
    stream: LOG_STREAM,
    startSeq: fromSeq,
    onMessage: async (message) => {
      if (ended) return;
      if (message.seq <= toSeq) waiting.push({ item: await reader.read(message), message });
      ended = message.seq >= toSeq || message.pending === 0;
      if (ended || waiting.length >= BATCH) wake.resolve();
      if (waiting.length >= 2 * BATCH) await hasCapacity.promise;
    },
  });
  try {
    while (!ended || waiting.length > 0) {
      await Promise.race([wake.promise, stream.closed]);
      const batch = waiting;
      waiting = [];
      if (!ended) wake = Promise.withResolvers<void>();
      hasCapacity.resolve();
      hasCapacity = Promise.withResolvers<void>();
      yield batch;
    }
  } finally {
    ended = true;
    hasCapacity.resolve();
    await stream.stop();
  }
}

/** Messages that Postgres rejected before, and would reject again. */
async function rejectedBefore(db: Database, generation: number): Promise<ReadonlyMap<number, string>> {
  const rows = await db
    .selectFrom('unreadable_messages')
    .select(['seq', 'message'])
    .where('generation', '=', generation)
    .where('code', '=', 'event_unstorable')
    .execute();
  return new Map(rows.map(({ seq, message }) => [seq, message]));
}

function markRejected(item: LogItem, message: BusMessage, rejected: ReadonlyMap<number, string>): LogItem {
  const reason = rejected.get(message.seq);
  return reason === undefined
    ? item
    : { unreadable: unreadableMessage(message, { code: 'event_unstorable', message: reason }) };
}
