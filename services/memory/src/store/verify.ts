import { type Bus, MEMORY_LOG, parseBody, readSubject } from '@reins/bus';
import type { MemoryVerification } from '@reins/contracts';
import { type Kysely, sql, type Transaction } from 'kysely';
import { type LoggedChange, parseChange, STREAM } from '../log/changes.ts';
import { migrateMemory, openMemory } from './database.ts';
import { lockPosition, readPosition } from './position.ts';
import { type MemoryTables, SCHEMA } from './schema.ts';
import type { MemoryStore } from './store.ts';
import { writeChanges } from './write-changes.ts';

/** The schema of the tables that the stream is projected into again. */
const SHADOW = 'memory_shadow';
const BATCH = 1_000;
const MAX_DIFFERENCES = 100;

/** Compares the tables with the stream: projects it into other tables and lists the records that differ. */
export function verifyTables(bus: Bus, store: MemoryStore): Promise<MemoryVerification> {
  return withShadow(bus, store, compare);
}

/**
 * Replaces the rows by those that follow from the stream. A failure changes nothing.
 * @returns the records that differed before
 */
export function rebuildTables(bus: Bus, store: MemoryStore): Promise<MemoryVerification> {
  return withShadow(bus, store, async (tx, seq) => {
    const found = await compare(tx, seq);
    await replace(tx);
    return found;
  });
}

type Tables = Transaction<MemoryTables>;

/**
 * Runs work while the shadow tables have the stream up to the position of the tables. The lock of the position makes the
 * projections of all instances wait, and other verifications.
 */
function withShadow<T>(bus: Bus, store: MemoryStore, work: (tx: Tables, seq: number) => Promise<T>): Promise<T> {
  return store.db.transaction().execute(async (tx) => {
    const { seq } = await lockPosition(tx);
    const shadow = openMemory(store.url, SHADOW);
    try {
      await drop(shadow);
      await migrateMemory(shadow, SHADOW);
      const { generation } = await readPosition(shadow, '');
      const from = { created: '', generation };
      for await (const batch of batches(bus, seq)) await writeChanges(shadow, from, batch);
      const result = await work(tx, seq);
      // The transaction still has locks on the shadow tables, so it drops them itself.
      await drop(tx);
      return result;
    } finally {
      await shadow.destroy();
    }
  });
}

const drop = (db: Kysely<MemoryTables>) => sql`drop schema if exists ${sql.id(SHADOW)} cascade`.execute(db);

async function* batches(bus: Bus, lastSeq: number): AsyncGenerator<LoggedChange[]> {
  let batch: LoggedChange[] = [];
  for await (const { seq, data, subject } of readSubject(bus, STREAM, `${MEMORY_LOG}.>`)) {
    if (seq > lastSeq) break;
    batch.push({ seq, change: parseChange(parseBody(data, subject)) });
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}

const tables = (name: string) => [sql.id(SCHEMA, name), sql.id(SHADOW, name)] as const;

async function compare(db: Tables, seq: number): Promise<MemoryVerification> {
  const [live, shadow] = tables('records');
  const [liveTerms, terms] = tables('terms');
  const { rows } = await sql<{ readonly id: string }>`
    select id from (
      select coalesce(a.id, b.id) as id from ${live} a full join ${shadow} b using (id)
      where to_jsonb(a) is distinct from to_jsonb(b)
      union select id from ((table ${liveTerms} except table ${terms}) union (table ${terms} except table ${liveTerms})) t
    ) differing order by id limit ${MAX_DIFFERENCES}`.execute(db);
  const [counted] = (await sql<{ readonly records: number }>`select count(*) as records from ${shadow}`.execute(db))
    .rows;
  return { seq, records: counted?.records ?? 0, differences: rows.map(({ id }) => id) };
}

async function replace(tx: Tables): Promise<void> {
  const columns = sql.raw(`id, namespace, kind, status, text, folded, data, source, subject, confidence, created_at,
    valid_from, valid_until, supersedes, superseded_by, sensitivity, forgotten_at, reason, ratings, seq`);
  for (const name of ['records', 'namespaces', 'terms', 'term_counts'] as const) await tx.deleteFrom(name).execute();
  const [records, shadowRecords] = tables('records');
  await sql`insert into ${records} (${columns}) select ${columns} from ${shadowRecords}`.execute(tx);
  for (const name of ['namespaces', 'terms', 'term_counts']) {
    const [live, shadow] = tables(name);
    await sql`insert into ${live} table ${shadow}`.execute(tx);
  }
}
