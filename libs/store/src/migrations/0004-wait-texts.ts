import { type Kysely, sql } from 'kysely';

/** Requests get what they wait for in words, and the name of the signal that they wait for. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table requests add column waiting_message text, add column waiting_signal text').execute(db);
}
