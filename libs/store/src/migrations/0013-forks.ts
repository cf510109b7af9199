import { type Kysely, sql } from 'kysely';

/** Requests get the request that they were forked from. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table requests add column forked_from text').execute(db);
}
