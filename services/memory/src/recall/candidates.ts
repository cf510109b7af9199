import { sql } from 'kysely';
import type { MemoryDatabase } from '../store/database.ts';
import { entryOf } from '../store/queries.ts';
import type { RecordRow } from '../store/schema.ts';
import type { Candidate } from './rank.ts';

/** The newest records of a term that are considered: those of a frequent term say little about it. */
const RECORDS_PER_TERM = 300;
/** Terms are considered, rarest first, until they have this many records. */
const POSTINGS = 1_200;
/** Records that are ranked: those whose terms weigh most. */
const CANDIDATES = 200;
/** A query has at most this many terms: the rarest. */
const TERMS = 24;

export interface Candidates {
  readonly weights: ReadonlyMap<string, number>;
  readonly candidates: readonly Candidate[];
}

interface TermCount {
  readonly term: string;
  readonly records: number;
  readonly total: number;
}

/** Finds the active records of namespaces that share terms with a query; without terms, the newest records. */
export async function findCandidates(
  db: MemoryDatabase,
  namespaces: readonly string[],
  query: string,
): Promise<Candidates> {
  const counts = await countTerms(db, namespaces, query);
  const weights = new Map(counts.map((count) => [count.term, weightOf(count)]));
  const ids = counts.length > 0 ? await heaviest(db, namespaces, counts, weights) : await newest(db, namespaces);
  return { weights, candidates: await readCandidates(db, ids) };
}

/** The terms of the query, rarest first. */
async function countTerms(db: MemoryDatabase, namespaces: readonly string[], query: string): Promise<TermCount[]> {
  const { rows } = await sql<TermCount>`
    select asked.term, coalesce(sum(records), 0)::bigint as records, (
      select coalesce(sum(records), 0)::bigint from term_counts where namespace = any(${namespaces}) and term = ''
    ) as total
    from unnest(tsvector_to_array(words(${query}))) as asked (term)
    left join term_counts on term_counts.term = asked.term and namespace = any(${namespaces})
    group by asked.term order by 2, asked.term collate "C" limit ${TERMS}`.execute(db);
  return rows;
}

/** The weight of a term, as in BM25: the fewer records have it, the more it says. */
const weightOf = ({ records, total }: TermCount): number => Math.log(1 + (total - records + 0.5) / (records + 0.5));

async function heaviest(
  db: MemoryDatabase,
  namespaces: readonly string[],
  counts: readonly TermCount[],
  weights: ReadonlyMap<string, number>,
): Promise<string[]> {
  const { rows } = await sql<{ readonly term: string; readonly seq: number; readonly id: string }>`
    select term, seq, id from unnest(${considered(counts)}::text[]) as asked (term)
    cross join lateral (
      select seq, id from unnest(${namespaces}::text[]) as space (namespace)
      cross join lateral (
        select seq, id from terms where terms.namespace = space.namespace and terms.term = asked.term
        order by seq desc, id desc limit ${RECORDS_PER_TERM}
      ) as found
    ) as postings`.execute(db);
  const found = new Map<string, { readonly seq: number; weight: number }>();
  for (const { term, seq, id } of rows) {
    const known = found.get(id) ?? { seq, weight: 0 };
    known.weight += weights.get(term) ?? 0;
    found.set(id, known);
  }
  return [...found]
    .sort(([a, left], [b, right]) => right.weight - left.weight || right.seq - left.seq || (a < b ? -1 : 1))
    .slice(0, CANDIDATES)
    .map(([id]) => id);
}

/** The rarest terms that occur in records, until their records reach the limit. */
function considered(counts: readonly TermCount[]): string[] {
  let postings = 0;
  return counts
    .filter(({ records }) => records > 0)
    .filter(({ records }, at) => {
      postings += Math.min(records, RECORDS_PER_TERM);
      return at === 0 || postings <= POSTINGS;
    })
    .map(({ term }) => term);
}

async function newest(db: MemoryDatabase, namespaces: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('records')
    .select('id')
    .where('namespace', 'in', namespaces)
    .where('status', '=', 'active')
    .orderBy('seq', 'desc')
    .orderBy('id', 'desc')
    .limit(CANDIDATES)
    .execute();
  return rows.map(({ id }) => id);
}

async function readCandidates(db: MemoryDatabase, ids: readonly string[]): Promise<Candidate[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('records')
    .selectAll()
    .select(sql<string[]>`tsvector_to_array(words)`.as('terms'))
    .where('id', 'in', ids)
    .where('status', '=', 'active')
    .execute();
  return rows.map((row: RecordRow & { readonly terms: readonly string[] }) => ({
    record: entryOf(row),
    terms: row.terms,
    seq: row.seq,
  }));
}
