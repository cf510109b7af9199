import { type Kysely, sql } from 'kysely';

/** Runs get the place of their last fact in causal order, so that late facts are recognized. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `create table run_positions (
    request_id text primary key,
    version integer not null,
    fact_index integer not null
  )`,
  'set local statement_timeout = 0',
  `insert into run_positions
    select distinct on (request_id) request_id, version, coalesce(substring(ce_id from '\\.([0-9]{1,9})$')::integer, 0)
    from events
    where version is not null and request_id <> '_'
    order by request_id, version desc, 3 desc`,
];
