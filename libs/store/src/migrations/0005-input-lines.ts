import { type Kysely, sql } from 'kysely';

/** Requests get the first line of their input, for lists, and the reason of a halt. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table requests add column input_line text, add column halt_reason text').execute(db);
}
