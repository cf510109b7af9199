import type { Database } from '../database.ts';
import type { RowChanges } from '../projection/row-changes.ts';
import { type ProjectionPosition, readProjectionPosition } from './projection-position.ts';

/** A consistent snapshot of the read model with its position. */
export interface Snapshot {
  readonly position: ProjectionPosition | undefined;
  readonly rows: RowChanges;
}

export async function readSnapshot(db: Database): Promise<Snapshot> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => ({
      position: await readProjectionPosition(trx),
      rows: {
        requests: await trx.selectFrom('requests').selectAll().execute(),
        sessions: await trx.selectFrom('sessions').selectAll().execute(),
        stage_runs: await trx.selectFrom('stage_runs').selectAll().execute(),
        approvals: await trx.selectFrom('approvals').selectAll().execute(),
        events: await trx.selectFrom('events').selectAll().execute(),
        unreadable_messages: await trx.selectFrom('unreadable_messages').selectAll().execute(),
        trace_views: await trx.selectFrom('trace_views').selectAll().execute(),
        usage: await trx.selectFrom('usage').selectAll().execute(),
        artifacts: await trx.selectFrom('artifacts').selectAll().execute(),
      },
    }));
}
