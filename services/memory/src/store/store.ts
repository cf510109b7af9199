import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { LOG, type Logger, Settings } from '@reins/service-kit';
import { migrate, openDatabase } from '@reins/store';
import { type Kysely, sql } from 'kysely';
import * as records from './migrations/0001-records.ts';
import { type MemoryTables, SCHEMA } from './schema.ts';

export type MemoryDatabase = Kysely<MemoryTables>;

/** All migrations, oldest first. A released migration never changes. */
export const MIGRATIONS = { '0001-records': { up: (db: Kysely<unknown>) => records.up(db) } } as const;

const CONNECTIONS = 6;

/** Opens the tables of memory in a schema. */
export const openMemory = (
  url: string,
  schema: string,
  onConnectionError: (error: Error) => void = () => {},
): MemoryDatabase =>
  openDatabase<MemoryTables>({
    url,
    name: 'reins-memory',
    maxConnections: CONNECTIONS,
    searchPath: `${schema},public`,
    onConnectionError,
  });

/** Creates the schema and its tables, or updates them. */
export async function migrateMemory(db: MemoryDatabase, schema: string): Promise<string[]> {
  await sql`create schema if not exists ${sql.id(schema)}`.execute(db);
  return migrate(db, schema, { migrations: MIGRATIONS });
}

/** The tables of memory in Postgres. Only this service reads and writes them. */
@Injectable()
export class MemoryStore implements BeforeApplicationShutdown {
  readonly db: MemoryDatabase;
  readonly url: string;

  constructor(@Inject(Settings) { database }: Settings, @Inject(LOG) log: Logger) {
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
