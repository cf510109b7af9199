import { problemOf } from '@reins/contracts';
import type { Logger } from '@reins/service-kit';
import type { Database } from '@reins/store';

export type Answer<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly reason: string };

/** The read model, which may be away: then the log answers. */
export class ReadModel {
  readonly #db: Database;
  readonly #log: Logger;

  constructor(db: Database, log: Logger) {
    this.#db = db;
    this.#log = log;
  }

  async ask<T>(question: (db: Database) => Promise<T>): Promise<Answer<T>> {
    try {
      return { ok: true, value: await question(this.#db) };
    } catch (error) {
      this.#log.debug({ err: error }, 'the read model does not answer');
      return { ok: false, reason: problemOf(error).message };
    }
  }

  close(): Promise<void> {
    return this.#db.destroy();
  }
}
