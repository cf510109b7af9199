import { type Kysely, sql } from 'kysely';

/** Requests get the signals that nothing waited for, and who cancelled or halted them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table requests add column kept_signals jsonb, add column ended_by text').execute(db);
}
