import { ReinsError } from '@reins/contracts';
import { jsonText } from '@reins/store';
import { sql, type Transaction } from 'kysely';
import type { LoggedChange } from '../log/changes.ts';
import type { MemoryDatabase } from './database.ts';
import { lockPosition, type TablesPosition } from './position.ts';
import { rowsOf } from './rows-of.ts';
import type { MemoryTables, RecordRow } from './schema.ts';
import { addTerms, removeTerms } from './terms.ts';

/** Rows per statement: Postgres takes at most 65,535 parameters. */
const ROWS = 1_000;

/**
 * Writes a batch of changes with the position after it, in one transaction. Changes up to the stored position were
 * written before, by this process or by another one, and change nothing.
 * @param generation of the tables when their position was read
 * @throws ReinsError `service_unavailable` when another instance has emptied the tables since: the changes before the
 * batch may be missing
 */
export async function writeChanges(
  db: MemoryDatabase,
  { created, generation }: Pick<TablesPosition, 'created' | 'generation'>,
  changes: readonly LoggedChange[],
): Promise<void> {
  const last = changes.at(-1);
  if (!last) return;
  await db.transaction().execute(async (tx) => {
    const position = await lockPosition(tx);
    if (position.generation !== generation)
      throw new ReinsError({
        code: 'service_unavailable',
        message: 'another instance of the memory service is rebuilding the tables',
      });
    await apply(
      tx,
      changes.filter(({ seq }) => seq > position.seq),
    );
    const reached = last.seq > position.seq ? { seq: last.seq, time: last.time ?? null, time_seq: last.seq } : {};
    await tx
      .updateTable('position')
      .set({ created, ...reached })
      .execute();
  });
}

async function apply(tx: Transaction<MemoryTables>, changes: readonly LoggedChange[]): Promise<void> {
  const { written, superseded, forgotten, rated, erased, namespaces } = rowsOf(changes);
  await insert(tx, written);
  await addTerms(
    tx,
    written.map(({ id }) => id),
  );
  await removeTerms(
    tx,
    [...superseded, ...forgotten].map(({ id }) => id),
  );
  for (const { id, by } of superseded)
    await tx
      .updateTable('records')
      .set({ status: 'superseded', superseded_by: by })
      .where('id', '=', id)
      .where('status', '=', 'active')
      .execute();
  for (const { id, person, useful } of rated)
    await sql`update records set ratings = coalesce(ratings, '{}') || jsonb_build_object(${person}::text, ${useful}::boolean)
      where id = ${id} and status <> 'forgotten'`.execute(tx);
  await forget(tx, forgotten);
  const stale = erased.map((seq) => ({ seq }));
  if (stale.length > 0)
    await tx
      .insertInto('erasures')
      .values(stale)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  for (const [namespace, seq] of namespaces)
    await tx
      .insertInto('namespaces')
      .values({ namespace, seq })
      .onConflict((conflict) => conflict.column('namespace').doUpdateSet({ seq }))
      .execute();
}

/** Replaces records by what is left of them, and notes which messages the stream has to erase. */
async function forget(tx: Transaction<MemoryTables>, stubs: readonly RecordRow[]): Promise<void> {
  if (stubs.length === 0) return;
  const ids = stubs.map(({ id }) => id);
  await sql`insert into erasures select seq from records where id = any(${ids}) and status <> 'forgotten'
    on conflict do nothing`.execute(tx);
  await tx.deleteFrom('records').where('id', 'in', ids).execute();
  await insert(tx, stubs);
}

async function insert(tx: Transaction<MemoryTables>, rows: readonly RecordRow[]): Promise<void> {
  for (let at = 0; at < rows.length; at += ROWS) {
    const values = rows.slice(at, at + ROWS).map(({ data, source, ratings: _, ...row }) => ({
      ...row,
      data: data === null ? null : jsonText(data),
      source: source === null ? null : jsonText(source),
    }));
    await tx
      .insertInto('records')
      .values(values)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}
