import type { StreamPosition } from '@reins/bus';
import { defined, ReinsError } from '@reins/contracts';
import type { Selectable, Transaction } from 'kysely';
import type { MemoryDatabase } from './database.ts';
import type { MemoryTables, PositionRow } from './schema.ts';

/** The position of the tables in the stream, and how often they were emptied. */
export interface TablesPosition extends StreamPosition {
  /** Creation time of the stream. */
  readonly created: string;
  readonly generation: number;
}

const TABLES = ['records', 'namespaces', 'terms', 'term_counts', 'erasures'] as const;

/** Reads the position of the tables. Tables without one are at the start of the stream with this creation time. */
export async function readPosition(db: MemoryDatabase, created: string): Promise<TablesPosition> {
  await db
    .insertInto('position')
    .values({ created, seq: 0, time: null, time_seq: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return positionIn(await db.selectFrom('position').selectAll().executeTakeFirstOrThrow());
}

/**
 * Empties the tables, so that they follow from the start of the stream with this creation time. Another instance may
 * have done so since the position was read. Then this changes nothing, because the tables already have its rows.
 */
export async function emptyTables(db: MemoryDatabase, created: string, { generation }: TablesPosition): Promise<void> {
  await db.transaction().execute(async (tx) => {
    if ((await lockPosition(tx)).generation !== generation) return;
    for (const table of TABLES) await tx.deleteFrom(table).execute();
    const start = { created, seq: 0, time: null, time_seq: null, generation: generation + 1 };
    await tx.updateTable('position').set(start).execute();
  });
}

/**
 * Locks the position until the end of the transaction.
 * @throws ReinsError `service_unavailable` when there is none
 */
export async function lockPosition(tx: Transaction<MemoryTables>): Promise<TablesPosition> {
  const row = await tx.selectFrom('position').selectAll().forUpdate().executeTakeFirst();
  if (!row) throw new ReinsError({ code: 'service_unavailable', message: 'the memory tables have no position' });
  return positionIn(row);
}

const positionIn = ({ created, generation, seq, time, time_seq }: Selectable<PositionRow>): TablesPosition => ({
  seq,
  created,
  generation,
  ...defined({ time: time_seq === seq ? (time ?? undefined) : undefined }),
});
