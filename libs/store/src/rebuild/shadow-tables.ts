import pg from 'pg';
import { type Database, openDatabase } from '../database.ts';
import { migrate } from '../migrations/migrate.ts';
import type { RowOf, Table } from '../schema/table.ts';
import { PROJECTED } from '../schema/tables.ts';
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

  private constructor(client: pg.Client, db: Database) {
    this.#client = client;
    this.db = db;
  }

  /**
   * Creates empty shadow tables.
   * @throws pg.DatabaseError, or a connection error such as ECONNREFUSED
   */
  static async create(url: string): Promise<ShadowTables> {
    const client = new pg.Client({ connectionString: url, application_name: 'reins-rebuild', keepAlive: true });
    client.on('error', () => {}); // the next statement reports it
    await client.connect();
    const db = openDatabase({ url, name: 'reins-rebuild', maxConnections: 1, searchPath: SHADOW });
    try {
      await client.query(`drop schema if exists ${SHADOW} cascade; create schema ${SHADOW}`);
      await migrate(db, SHADOW);
      await client.query(`set search_path to ${SHADOW}`);
      return new ShadowTables(client, db);
    } catch (error) {
      await Promise.allSettled([client.end(), db.destroy()]);
      throw error;
    }
  }

  copy<T extends Table>(table: T, rows: readonly RowOf<T>[]): Promise<void> {
    return copyRows(this.#client, table, rows);
  }

  /**
   * Replaces the live tables with the shadow tables in one transaction. Requests with events that the log no longer has
   * keep their rows. There must be no concurrent writer.
   */
  async swap(log: LogRange): Promise<void> {
    await this.#client.query('begin');
    try {
      await this.#client.query(`set local search_path to public; set local lock_timeout to '30s'`);
      for (const table of PROJECTED) await this.#client.query(`lock table public."${table.name}" in exclusive mode`);
      await this.#copyRetainedRows(log);
      await this.#client.query(`drop schema if exists ${OLD} cascade; create schema ${OLD}`);
      for (const { name } of PROJECTED) {
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

  async #copyRetainedRows({ generation, firstSeq }: LogRange): Promise<void> {
    const retainedRequests = `select request_id from public.events where generation <> $1 or seq < $2`;
    await this.#client.query(
      `create temporary table retained_requests on commit drop as ${retainedRequests} group by request_id`,
      [generation, firstSeq],
    );
    for (const { name } of PROJECTED) {
      const condition = RETAINED_ROWS[name] ?? 'request_id in (select request_id from retained_requests)';
      const values = condition.includes('$1') ? [generation, firstSeq] : [];
      await this.#client.query(`delete from ${SHADOW}."${name}" where ${condition}`, values);
      await this.#client.query(
        `insert into ${SHADOW}."${name}" select * from public."${name}" where ${condition}`,
        values,
      );
    }
  }
}

/** Conditions for retained rows, for tables without a `request_id`. */
const RETAINED_ROWS: Readonly<Partial<Record<string, string>>> = {
  sessions: `(workspace_id, session_id) in (
    select workspace_id, session_id from public.requests where request_id in (select request_id from retained_requests))`,
  unreadable_messages: 'generation <> $1 or seq < $2',
};
