import { type Kysely, sql } from 'kysely';

/** Requests and stage runs get the parent of their run, so that a request can be read together with its child runs. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `alter table requests
    add column parent_request_id text,
    add column parent_effect_id text,
    add column root_request_id text`,
  `alter table stage_runs
    add column parent_request_id text,
    add column root_request_id text`,
  'create index requests_by_root on requests (root_request_id, first_seq) where root_request_id is not null',
  'create index stage_runs_by_root on stage_runs (root_request_id, first_seq) where root_request_id is not null',
  'create index stage_runs_newest on stage_runs (first_seq desc)',
];
