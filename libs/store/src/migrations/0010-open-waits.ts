import { type Kysely, sql } from 'kysely';

/** Requests get everything that they wait for. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table requests add column waits jsonb').execute(db);
}
