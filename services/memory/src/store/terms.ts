import { sql, type Transaction } from 'kysely';
import type { MemoryTables } from './schema.ts';

type Tables = Transaction<MemoryTables>;

/** Adds the terms of records that were just written. */
export async function addTerms(tx: Tables, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    with added as (
      insert into terms select namespace, unnest(tsvector_to_array(words)), seq, id from records
      where id = any(${ids}) and status = 'active' on conflict do nothing returning namespace, term
    ), counted as (
      select namespace, term, count(*) as records from added group by 1, 2
      union all select namespace, '', count(*) from records where id = any(${ids}) and status = 'active' group by 1
    )
    insert into term_counts select * from counted order by namespace, term
    on conflict (namespace, term) do update set records = term_counts.records + excluded.records`.execute(tx);
}

/** Removes the terms of records that are no longer active. Call it while they still are. */
export async function removeTerms(tx: Tables, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    with gone as (
      select namespace, seq, id, unnest(tsvector_to_array(words)) as term from records
      where id = any(${ids}) and status = 'active'
    ), removed as (
      delete from terms using gone where terms.namespace = gone.namespace and terms.term = gone.term
      and terms.seq = gone.seq and terms.id = gone.id returning terms.namespace, terms.term
    ), counted as (
      select namespace, term, count(*) as records from removed group by 1, 2
      union all select namespace, '', count(*) from records where id = any(${ids}) and status = 'active' group by 1
    )
    update term_counts set records = term_counts.records - counted.records from counted
    where term_counts.namespace = counted.namespace and term_counts.term = counted.term`.execute(tx);
}
