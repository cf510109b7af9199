import {
  defined,
  type MemoryEntry,
  type MemoryListCall,
  type MemoryNamespace,
  type MemoryPage,
  type MemoryRatings,
  type MemorySource,
  ReinsError,
} from '@reins/contracts';
import { type SelectQueryBuilder, sql } from 'kysely';
import { folded } from '../model/text.ts';
import type { MemoryDatabase } from './database.ts';
import type { MemoryTables, RecordRow } from './schema.ts';

const PAGE = 50;
/** Texts beyond it continue on the next page, so that a response fits in a message. */
const PAGE_CHARS = 150_000;
const SIMILAR = 10;

/** A page of records, newest first. A search has only records whose words match the query. */
export async function listRecords(db: MemoryDatabase, call: MemoryListCall): Promise<MemoryPage> {
  const { limit = PAGE } = call;
  const rows = await filtered(db.selectFrom('records').selectAll(), call)
    .orderBy('seq', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  const kept = withinChars(rows.slice(0, limit));
  const last = kept.at(-1);
  return { records: kept.map(entryOf), ...(last && rows.length > kept.length && { next: cursorOf(last) }) };
}

type Records = SelectQueryBuilder<MemoryTables, 'records', RecordRow>;

function filtered(
  query: Records,
  { namespace, kind, status = 'active', query: words, before }: MemoryListCall,
): Records {
  let found = query;
  if (namespace !== undefined) found = found.where('namespace', '=', namespace);
  if (kind !== undefined) found = found.where('kind', '=', kind);
  if (status !== 'any') found = found.where('status', '=', status);
  if (before !== undefined) found = found.where(isBefore(before));
  if (words !== undefined) found = found.where(matches(words));
  return found;
}

/** Records that were forgotten together have the same sequence. */
const cursorOf = ({ seq, id }: RecordRow): string => `${seq}_${id}`;

function isBefore(cursor: string) {
  const [, seq, id] = /^(\d{1,15})_(.+)$/.exec(cursor) ?? [];
  if (seq !== undefined) return sql<boolean>`(seq, id) < (${Number(seq)}, ${id})`;
  throw new ReinsError({
    code: 'request_invalid',
    message: `${JSON.stringify(cursor)} is not a cursor`,
    path: 'before',
    hint: 'Use `next` of the previous page.',
  });
}

/** Words in any form and without accents, or, if the query is only words, a text that is spelled almost like it. */
function matches(query: string) {
  const found = sql<boolean>`words @@ websearch_to_tsquery('pg_catalog.english', public.unaccent('public.unaccent', ${query}))`;
  if (!PLAIN_WORDS.test(query)) return found;
  return sql<boolean>`(${found} or ${folded(query)} operator(public.<%) folded)`;
}

/** Without quotes and exclusions. */
const PLAIN_WORDS = /^[\p{L}\p{M}\p{N}\s]+$/u;

function withinChars(rows: readonly RecordRow[]): RecordRow[] {
  let chars = 0;
  return rows.filter((row, at) => {
    chars += (row.text?.length ?? 0) + JSON.stringify(row.data).length;
    return at === 0 || chars <= PAGE_CHARS;
  });
}

/** A record; undefined if there is none with this id. */
export async function findRecord(db: MemoryDatabase, id: string): Promise<MemoryEntry | undefined> {
  const row = await db.selectFrom('records').selectAll().where('id', '=', id).executeTakeFirst();
  return row && entryOf(row);
}

/** All versions of a record, oldest first; none if there is no record with this id. */
export async function versionsOf(db: MemoryDatabase, id: string): Promise<MemoryEntry[]> {
  const { rows } = await sql<RecordRow>`
    with recursive earlier as (
      select id, supersedes from records where id = ${id}
      union select r.id, r.supersedes from records r join earlier e on r.id = e.supersedes
    ), later as (
      select id from records where id = ${id}
      union select r.id from records r join later l on r.supersedes = l.id
    )
    select * from records where id in (select id from earlier union select id from later)
    order by created_at, seq, id`.execute(db);
  return rows.map(entryOf);
}

/** Active records of a namespace whose text is like this one, most similar first. */
export async function similarRecords(db: MemoryDatabase, namespace: string, text: string): Promise<MemoryEntry[]> {
  const words = folded(text);
  const rows = await db
    .selectFrom('records')
    .selectAll()
    .where('namespace', '=', namespace)
    .where('status', '=', 'active')
    .where(sql<boolean>`folded operator(public.%) ${words}`)
    .orderBy(sql`public.similarity(folded, ${words})`, 'desc')
    .orderBy('seq')
    .limit(SIMILAR)
    .execute();
  return rows.map(entryOf);
}

/** The sequence of the last change of a namespace; 0 if it has none. */
export async function lastChangeOf(db: MemoryDatabase, namespace: string): Promise<number> {
  const row = await db.selectFrom('namespaces').select('seq').where('namespace', '=', namespace).executeTakeFirst();
  return row?.seq ?? 0;
}

/** All namespaces with the number of their records. */
export async function listNamespaces(db: MemoryDatabase): Promise<MemoryNamespace[]> {
  const count = (status: RecordRow['status']) => sql<number>`count(*) filter (where status = ${status})`;
  return db
    .selectFrom('records')
    .select(['namespace', count('active').as('active'), count('superseded').as('superseded')])
    .select(count('forgotten').as('forgotten'))
    .groupBy('namespace')
    .orderBy(sql`namespace collate "C"`)
    .execute();
}

/** A row as calls return it. */
export const entryOf = (row: RecordRow): MemoryEntry => ({
  id: row.id,
  namespace: row.namespace,
  kind: row.kind,
  status: row.status,
  createdAt: row.created_at,
  ...defined({
    text: row.text ?? undefined,
    data: row.data ?? undefined,
    source: (row.source ?? undefined) as MemorySource | undefined,
    subject: row.subject ?? undefined,
    confidence: row.confidence ?? undefined,
    validFrom: row.valid_from ?? undefined,
    validUntil: row.valid_until ?? undefined,
    supersedes: row.supersedes ?? undefined,
    supersededBy: row.superseded_by ?? undefined,
    sensitivity: row.sensitivity ?? undefined,
    forgottenAt: row.forgotten_at ?? undefined,
    reason: row.reason ?? undefined,
    ratings: ratingsOf(row),
  }),
});

function ratingsOf({ ratings }: RecordRow): MemoryRatings | undefined {
  if (ratings === null) return undefined;
  const all = Object.values(ratings);
  const useful = all.filter(Boolean).length;
  return { useful, useless: all.length - useful };
}
