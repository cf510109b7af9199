import { type Kysely, sql } from 'kysely';

/** Adds whether people rated a record as useful. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table records add column ratings jsonb`.execute(db);
}
