import { migrate, openDatabase } from '@reins/store';
import { type Kysely, sql } from 'kysely';
import * as records from './migrations/0001-records.ts';
import * as terms from './migrations/0002-terms.ts';
import * as ratings from './migrations/0003-ratings.ts';
import * as positionTime from './migrations/0004-position-time.ts';
import * as positionGeneration from './migrations/0005-position-generation.ts';
import type { MemoryTables } from './schema.ts';

export type MemoryDatabase = Kysely<MemoryTables>;

/** All migrations, oldest first. A released migration never changes. */
const MIGRATIONS = {
  '0001-records': { up: (db: Kysely<unknown>) => records.up(db) },
  '0002-terms': { up: (db: Kysely<unknown>) => terms.up(db) },
  '0003-ratings': { up: (db: Kysely<unknown>) => ratings.up(db) },
  '0004-position-time': { up: (db: Kysely<unknown>) => positionTime.up(db) },
  '0005-position-generation': { up: (db: Kysely<unknown>) => positionGeneration.up(db) },
} as const;

const CONNECTIONS = 6;
/** How long a call of a burst waits for a connection. */
const CONNECTION_WAIT_MS = 10_000;

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
    connectTimeoutMs: CONNECTION_WAIT_MS,
    searchPath: `${schema},public`,
    onConnectionError,
  });

/** Creates the schema and its tables, or updates them. */
export async function migrateMemory(db: MemoryDatabase, schema: string): Promise<string[]> {
  await sql`create schema if not exists ${sql.id(schema)}`.execute(db);
  return migrate(db, schema, { migrations: MIGRATIONS });
}
