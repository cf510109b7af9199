import { type Kysely, sql } from 'kysely';

/** Adds how often the tables were emptied: an instance writes only into the tables whose position it has read. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table position add column generation bigint not null default 0`.execute(db);
}
