import { type Kysely, sql } from 'kysely';

/** Finds events by their position in the log, such as those that a rolled-back log has lost. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('create index events_by_position on events (generation, seq)').execute(db);
}
