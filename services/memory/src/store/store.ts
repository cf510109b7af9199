import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { LOG, type Logger, Settings } from '@reins/service-kit';
import { type MemoryDatabase, migrateMemory, openMemory } from './database.ts';
import { SCHEMA } from './schema.ts';

/** The tables of memory in Postgres. Only this service reads and writes them. */
@Injectable()
export class MemoryStore implements BeforeApplicationShutdown {
  readonly db: MemoryDatabase;
  readonly url: string;

  constructor({ database }: Settings, @Inject(LOG) log: Logger) {
    this.url = database.url;
    this.db = openMemory(database.url, SCHEMA, (err) => log.debug({ err }, 'Postgres connection lost'));
  }

  migrate(): Promise<string[]> {
    return migrateMemory(this.db, SCHEMA);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.db.destroy();
  }
}
