import { type Kysely, sql } from 'kysely';

/** The contract validates the name of a stage, so a new stage needs no migration. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table stage_runs drop constraint if exists stage_runs_stage_check').execute(db);
}
