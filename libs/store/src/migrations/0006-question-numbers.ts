import { type Kysely, sql } from 'kysely';

/** Requests get the number of the question that they wait for. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table requests add column waiting_question_number integer').execute(db);
}
