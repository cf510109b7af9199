import type { Bus, BusMessage } from '@reins/bus';
import { ReinsError } from '@reins/contracts';
import type { Database } from '@reins/store';
import {
  type LogItem,
  READ_MODEL,
  type ReadModel,
  readProjectionPosition,
  ShadowTables,
  unreadableMessage,
} from '@reins/store';
import { logBatches } from '../log-batches.ts';
import { logState } from '../start-position.ts';

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
  const of = log.lastSeq - log.firstSeq + 1;
  const shadow = await ShadowTables.create(databaseUrl, model);
  let copied = 0;
  const fill = async (phase: RebuildProgress['phase'], fromSeq: number, toSeq: number): Promise<void> => {
    for await (const batch of logBatches(bus, fromSeq, toSeq)) {
      const [first, last] = [batch.at(0)?.message, batch.at(-1)?.message];
      if (!first || !last) continue;
      const rejected = await rejectedBetween(db, generation, first.seq, last.seq);
      const items = batch.map(({ item, message }) => markRejected(item, message, rejected));
      await shadow.write(items, generation);
      copied += batch.length;
      onProgress({ phase, messages: copied, of });
    }
  };
  try {
    await fill('copying', log.firstSeq, log.lastSeq);
    await whilePaused(async () => {
      const now = await readProjectionPosition(db);
      if (now?.stream !== log.identity || now.generation !== generation)
        throw new ReinsError({ code: 'service_unavailable', message: 'the event log was replaced during the rebuild' });
      await fill('catching_up', log.lastSeq + 1, now.seq);
      await shadow.swap({ generation, firstSeq: log.firstSeq });
    });
    onProgress({ phase: 'done', messages: copied, of });
  } finally {
    await shadow.close();
  }
}

/** Messages that Postgres rejected before, and would reject again: their sequences and the reasons. */
async function rejectedBetween(
  db: Database,
  generation: number,
  fromSeq: number,
  toSeq: number,
): Promise<ReadonlyMap<number, string>> {
  const rows = await db
    .selectFrom('unreadable_messages')
    .select(['seq', 'message'])
    .where('generation', '=', generation)
    .where('seq', '>=', fromSeq)
    .where('seq', '<=', toSeq)
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
