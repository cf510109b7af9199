import { type Kysely, sql } from 'kysely';

/** Events are found by their position in the log: what a log that was set back has lost. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('create index events_by_position on events (generation, seq)').execute(db);
}
