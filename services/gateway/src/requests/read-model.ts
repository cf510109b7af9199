import { problemOf } from '@reins/contracts';
import type { Logger } from '@reins/service-kit';
import type { Database } from '@reins/store';

export type QueryResult<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly reason: string };

/** The read model in Postgres. Callers fall back to the event log when it is unavailable. */
export class ReadModel {
  readonly #db: Database;
  readonly #log: Logger;

  constructor(db: Database, log: Logger) {
    this.#db = db;
    this.#log = log;
  }

  async query<T>(read: (db: Database) => Promise<T>): Promise<QueryResult<T>> {
    try {
      return { ok: true, value: await read(this.#db) };
    } catch (error) {
      this.#log.debug({ err: error }, 'read model query failed');
      return { ok: false, reason: problemOf(error).message };
    }
  }

  close(): Promise<void> {
    return this.#db.destroy();
  }
}
