import { type Kysely, sql } from 'kysely';

/** Requests get the request that they retry. Its own view lists them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table requests add column retry_of text').execute(db);
  await sql
    .raw('create index requests_by_retried on requests (retry_of, first_seq) where retry_of is not null')
    .execute(db);
}
