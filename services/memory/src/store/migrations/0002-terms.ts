import { type Kysely, sql } from 'kysely';

/** Creates the inverted index of active records, and how many records of a namespace have each term. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `create table terms (
    namespace text not null,
    term text not null,
    seq bigint not null,
    id text not null,
    primary key (namespace, term, seq, id)
  )`,
  // The term '' counts all active records of a namespace.
  `create table term_counts (
    namespace text not null,
    term text not null,
    records bigint not null,
    primary key (namespace, term)
  )`,
  `insert into terms select namespace, unnest(tsvector_to_array(words)), seq, id from records where status = 'active'`,
  `insert into term_counts select namespace, term, count(*) from terms group by 1, 2`,
  `insert into term_counts select namespace, '', count(*) from records where status = 'active' group by 1`,
];
