import { type Kysely, sql } from 'kysely';

/** Orders requests by their first event in the log, since the ids of child runs are not ordered by time. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  'drop index requests_by_workspace',
  'drop index requests_by_session',
  'drop index requests_open',
  'create index requests_newest on requests (first_seq desc)',
  'create index requests_by_workspace on requests (workspace_id, first_seq desc)',
  'create index requests_by_session on requests (workspace_id, session_id, first_seq desc)',
  'create index requests_open on requests (status, first_seq desc) where ended_at is null',
];
