import pg from 'pg';
import { type Database, openDatabase } from '../database.ts';
import { migrate } from '../migrations/migrate.ts';
import type { RowOf, Table } from '../schema/table.ts';
import { PROJECTED } from '../schema/tables.ts';
import { copyRows } from './copy-rows.ts';

const SHADOW = 'reins_shadow';
/** The live tables while they are exchanged. */
const OLD = 'reins_old';

/** Which events of the read model the log cannot give again: of another log, or trimmed since. */
export interface Remembered {
  readonly generation: number;
  readonly firstSeq: number;
}

/**
 * A second set of the read model's tables, in a schema of its own: filled while the live ones are used, then put in their place. There
 * is one at a time: what a broken-off rebuild left is removed when the next one begins.
 */
export class ShadowTables {
  readonly #client: pg.Client;
  /** Writes into the shadow tables with the projection's own statements. */
  readonly db: Database;

  private constructor(client: pg.Client, db: Database) {
    this.#client = client;
    this.db = db;
  }

  /** @throws pg.DatabaseError; ECONNREFUSED and its kin when Postgres is away */
  static async create(url: string): Promise<ShadowTables> {
    const client = new pg.Client({ connectionString: url, application_name: 'reins-rebuild', keepAlive: true });
    client.on('error', () => {}); // the statement that meets it tells
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
   * Puts the shadow tables in the place of the live ones, in one transaction. Requests of which the log does not have everything
   * any more keep the rows that they have. Nothing may write the live tables meanwhile.
   */
  async swap(remembered: Remembered): Promise<void> {
    await this.#client.query('begin');
    try {
      await this.#client.query(`set local search_path to public; set local lock_timeout to '30s'`);
      for (const table of PROJECTED) await this.#client.query(`lock table public."${table.name}" in exclusive mode`);
      await this.#keepOld(remembered);
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

  /** Removes what is left of it. */
  async close(): Promise<void> {
    await this.db.destroy();
    await this.#client.query(`drop schema if exists ${SHADOW} cascade`).catch(() => {});
    await this.#client.end();
  }

  async #keepOld({ generation, firstSeq }: Remembered): Promise<void> {
    const old = `select request_id from public.events where generation <> $1 or seq < $2`;
    await this.#client.query(`create temporary table remembered on commit drop as ${old} group by request_id`, [
      generation,
      firstSeq,
    ]);
    for (const { name } of PROJECTED) {
      const kept = KEPT[name] ?? 'request_id in (select request_id from remembered)';
      const values = kept.includes('$1') ? [generation, firstSeq] : [];
      await this.#client.query(`delete from ${SHADOW}."${name}" where ${kept}`, values);
      await this.#client.query(`insert into ${SHADOW}."${name}" select * from public."${name}" where ${kept}`, values);
    }
  }
}

/** Which rows of a table are kept, where it is not by their request alone. */
const KEPT: Readonly<Partial<Record<string, string>>> = {
  sessions: `(workspace_id, session_id) in (
    select workspace_id, session_id from public.requests where request_id in (select request_id from remembered))`,
  unreadable_messages: 'generation <> $1 or seq < $2',
};
