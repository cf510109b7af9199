import { type Kysely, sql } from 'kysely';

/** Usage gets its source, from the events that are stored. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  "alter table usage add column source text not null default 'unknown'",
  'set local statement_timeout = 0',
  `update usage set source = events.body->>'source'
    from events
    where events.ce_id = usage.ce_id and events.body->>'source' is not null`,
];
