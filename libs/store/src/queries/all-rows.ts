import { sql } from 'kysely';
import type { Database } from '../database.ts';
import { READ_MODEL, type RowChanges } from '../read-model.ts';
import { type ProjectionPosition, readProjectionPosition } from './projection-position.ts';

/** A consistent snapshot of the read model with its position. */
export interface Snapshot {
  readonly position: ProjectionPosition | undefined;
  readonly rows: RowChanges;
}

export async function readSnapshot(db: Database, { projections } = READ_MODEL): Promise<Snapshot> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      const position = await readProjectionPosition(trx);
      const rows: Record<string, readonly unknown[]> = {};
      for (const { table } of projections) rows[table.name] = await allRows(trx, table.name);
      return { position, rows: rows as unknown as RowChanges };
    });
}

async function allRows(db: Database, table: string): Promise<unknown[]> {
  return (await sql`select * from ${sql.table(table)}`.execute(db)).rows;
}
