import { type Kysely, sql } from 'kysely';

/**
 * Adds the time at which the stream stored the message. `time_seq` is the sequence that the time belongs to: a process
 * of an earlier version that still runs changes `seq` alone.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table position add column time text, add column time_seq bigint`.execute(db);
}
