import { sql } from 'kysely';
import pg from 'pg';
import { type Database, openDatabase } from '../database.ts';
import { migrate } from '../migrations/migrate.ts';
import type { LogItem } from '../projection/log-event.ts';
import { SCOPES } from '../projection/scope.ts';
import { withoutDuplicates } from '../queries/requests.ts';
import { READ_MODEL, type ReadModel, rowsIn } from '../read-model.ts';
import { keyOf, type RowOf, type Table } from '../schema/table.ts';
import { projectNext } from '../write/project-next.ts';
import { insertRows } from '../write/unnest.ts';
import { copyRows } from './copy-rows.ts';

const SHADOW = 'reins_shadow';
/** Schema of the old tables during the swap. */
const OLD = 'reins_old';

/** The generation and the first sequence of the current event log. Rows of events outside it are kept. */
export interface LogRange {
  readonly generation: number;
  readonly firstSeq: number;
}

/**
 * A second set of the read model's tables in a separate schema. They are filled while the live tables are in use, then
 * replace them. Only one rebuild runs at a time: a rebuild drops what an aborted rebuild left.
 */
export class ShadowTables {
  readonly #client: pg.Client;
  /** Database connection that writes to the shadow tables. */
  readonly db: Database;
  readonly #model: ReadModel;

  private constructor(client: pg.Client, db: Database, model: ReadModel) {
    this.#client = client;
    this.db = db;
    this.#model = model;
  }

  /**
   * Creates empty shadow tables.
   * @throws pg.DatabaseError, or a connection error such as ECONNREFUSED
   */
  static async create(url: string, model = READ_MODEL): Promise<ShadowTables> {
    const client = new pg.Client({ connectionString: url, application_name: 'reins-rebuild', keepAlive: true });
    client.on('error', () => {}); // the next statement reports it
    await client.connect();
    const db = openDatabase({ url, name: 'reins-rebuild', maxConnections: 1, searchPath: SHADOW });
    try {
      await client.query(`drop schema if exists ${SHADOW} cascade; create schema ${SHADOW}`);
      await migrate(db, SHADOW, model);
      await client.query(`set search_path to ${SHADOW}`);
      return new ShadowTables(client, db, model);
    } catch (error) {
      await Promise.allSettled([client.end(), db.destroy()]);
      throw error;
    }
  }

  /**
   * Projects the next messages of the event log into the tables. Memory use depends on the batch, not on the log.
   * @throws pg.DatabaseError when Postgres rejects a row
   */
  async write(items: readonly LogItem[], generation: number): Promise<void> {
    const fresh = withoutDuplicates(items, await this.#knownIds(items));
    const { known, changes } = await projectNext(this.db, fresh, generation, this.#model);
    for (const { table, mode } of this.#model.projections) {
      const rows = rowsIn(changes, table);
      if (mode === 'append') await copyRows(this.#client, table, rows);
      else if (mode === 'upsert') await this.#replace(table, rows);
      else {
        const keys = new Set(rowsIn(known, table).map((row) => keyOf(table, row)));
        const isKnown = (row: RowOf<Table>): boolean => keys.has(keyOf(table, row));
        await this.#replace(table, rows.filter(isKnown));
        await copyRows(
          this.#client,
          table,
          rows.filter((row) => !isKnown(row)),
        );
      }
    }
  }

  /**
   * Replaces the live tables with the shadow tables in one transaction. Requests with events that the log no longer has
   * keep their rows. There must be no concurrent writer.
   */
  async swap(log: LogRange): Promise<void> {
    await this.#client.query('begin');
    try {
      await this.#client.query(`set local search_path to public; set local lock_timeout to '30s'`);
      for (const { table } of this.#model.projections)
        await this.#client.query(`lock table public."${table.name}" in exclusive mode`);
      await this.#copyRetainedRows(log);
      await this.#client.query(`drop schema if exists ${OLD} cascade; create schema ${OLD}`);
      for (const { table } of this.#model.projections) {
        const { name } = table;
        await this.#client.query(`alter table public."${name}" set schema ${OLD}`);
        await this.#client.query(`alter table ${SHADOW}."${name}" set schema public`);
      }
      await this.#client.query(`drop schema ${OLD} cascade`);
      await this.#client.query('commit');
    } catch (error) {
      await this.#client.query('rollback').catch(() => {});
      throw error;
    }
  }

  /** Removes the shadow schema and closes the connections. */
  async close(): Promise<void> {
    await this.db.destroy();
    await this.#client.query(`drop schema if exists ${SHADOW} cascade`).catch(() => {});
    await this.#client.end();
  }

  async #replace(table: Table, rows: readonly RowOf<Table>[]): Promise<void> {
    if (rows.length > 0) await insertRows(table, rows, 'replace').execute(this.db);
  }

  async #knownIds(items: readonly LogItem[]): Promise<Set<string>> {
    const ids = items.flatMap((item) => ('event' in item ? [item.event.id] : []));
    const known = sql<boolean>`ce_id = any(${ids})`;
    const rows = await this.db.selectFrom('events').select('ce_id').where(known).execute();
    return new Set(rows.map(({ ce_id }) => ce_id));
  }

  async #copyRetainedRows({ generation, firstSeq }: LogRange): Promise<void> {
    const retainedRequests = `select request_id from public.events where generation <> $1 or seq < $2`;
    await this.#client.query(
      `create temporary table retained_requests on commit drop as ${retainedRequests} group by request_id`,
      [generation, firstSeq],
    );
    for (const { table, scope } of this.#model.projections) {
      const { name } = table;
      const condition = SCOPES[scope].retained;
      const values = condition.includes('$1') ? [generation, firstSeq] : [];
      await this.#client.query(`delete from ${SHADOW}."${name}" where ${condition}`, values);
      await this.#client.query(
        `insert into ${SHADOW}."${name}" select * from public."${name}" where ${condition}`,
        values,
      );
    }
  }
}
