import { sql } from 'kysely';
import type { Database } from '../database.ts';
import type { LogItem } from '../projection/log-event.ts';
import { SCOPES } from '../projection/scope.ts';
import { type ProjectionPosition, readProjectionPosition } from '../queries/projection-position.ts';
import { READ_MODEL, type ReadModel } from '../read-model.ts';
import { writeRows } from '../write/write-batch.ts';
import { differencesOf, type TableDifferences } from './differences.ts';

/** The generation and the first sequence of the event log; undefined if the rows are from another log. */
export interface ComparedLog {
  readonly generation: number;
  readonly firstSeq: number | undefined;
}

/** The result of a comparison. */
export interface Comparison {
  readonly tables: readonly TableDifferences[];
  /** Compared requests. */
  readonly requests: number;
  /** Requests with events that the log no longer has. */
  readonly skippedRequests: number;
}

/**
 * The rows that the read model should have, in temporary tables of one connection. They hide the live tables of the
 * same names. The live tables are seen as they are when the comparison starts. Memory use does not depend on their size.
 */
export class ExpectedTables {
  readonly #trx: Database;
  readonly #model: ReadModel;
  readonly #generation: number;
  /** Position of the live rows. */
  readonly position: ProjectionPosition | undefined;

  private constructor(trx: Database, model: ReadModel, position: ProjectionPosition | undefined) {
    this.#trx = trx;
    this.#model = model;
    this.position = position;
    this.#generation = position?.generation ?? 1;
  }

  /**
   * Creates empty tables, and drops them after the work.
   * @throws pg.DatabaseError, errors of the work
   */
  static create<T>(db: Database, work: (tables: ExpectedTables) => Promise<T>, model = READ_MODEL): Promise<T> {
    return db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute(async (trx) => {
        await sql`set local statement_timeout = 0`.execute(trx);
        const position = await readProjectionPosition(trx);
        for (const { table } of model.projections) {
          const live = sql.table(`public.${table.name}`);
          await sql`create temporary table ${sql.table(table.name)} (like ${live} including indexes) on commit drop`.execute(
            trx,
          );
        }
        return work(new ExpectedTables(trx, model, position));
      });
  }

  /** Projects the next messages of the log. Messages that Postgres rejected before are left out. */
  async write(items: readonly LogItem[]): Promise<void> {
    const seqs = items.flatMap((item) => ('event' in item ? [item.event.seq] : []));
    const { rows } = await sql<{ seq: number }>`select seq from public.unreadable_messages
      where generation = ${this.#generation} and seq = any(${seqs})`.execute(this.#trx);
    const rejected = new Set(rows.map(({ seq }) => seq));
    const accepted = items.filter((item) => !('event' in item && rejected.has(item.event.seq)));
    await writeRows(this.#trx, accepted, this.#generation, this.#model);
  }

  /** Compares the live rows with the expected ones, except those of requests that the log no longer has completely. */
  async compare({ generation, firstSeq }: ComparedLog): Promise<Comparison> {
    const old = firstSeq === undefined ? sql`true` : sql`generation <> ${generation} or seq < ${firstSeq}`;
    await sql`create temporary table skipped_events on commit drop as
      select request_id, workspace_id, session_id from public.events where ${old} group by 1, 2, 3`.execute(this.#trx);
    await sql`analyze skipped_events`.execute(this.#trx);
    const notSkipped = (columns: readonly string[]) => sql<boolean>`not exists (
      select from skipped_events where ${sql.join(
        columns.map((column) => sql`compared.${sql.ref(column)} = skipped_events.${sql.ref(column)}`),
        sql` and `,
      )})`;
    const conditions = {
      request: notSkipped(SCOPES.request.columns),
      session: notSkipped(SCOPES.session.columns),
      message: sql<boolean>`not (${old}) and code <> 'event_unstorable'`,
    };
    const tables: TableDifferences[] = [];
    for (const { table, scope } of this.#model.projections) {
      await sql`analyze ${sql.table(table.name)}`.execute(this.#trx);
      tables.push(await differencesOf(this.#trx, table, conditions[scope]));
    }
    return {
      tables,
      requests: await this.#count(sql`select from public.requests compared where ${conditions.request}`),
      skippedRequests: await this.#count(sql`select distinct request_id from skipped_events`),
    };
  }

  async #count(query: ReturnType<typeof sql>): Promise<number> {
    const { rows } = await sql<{ count: number }>`select count(*)::int from (${query}) found`.execute(this.#trx);
    return rows[0]?.count ?? 0;
  }
}
