import { type Kysely, sql } from 'kysely';

/** Stage runs get what they wait for. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table stage_runs add column progress text').execute(db);
}
