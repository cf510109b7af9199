import { type Kysely, sql } from 'kysely';

/** Requests get what they wait for in words, the name of the signal, and the error of the process. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `alter table requests
    add column waiting_message text,
    add column waiting_signal text,
    add column waiting_error jsonb`,
    )
    .execute(db);
}
