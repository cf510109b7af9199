import { type Migration, Migrator } from 'kysely/migration';
import type { Database } from '../database.ts';
import * as readModel from './0001-read-model.ts';
import * as newestRequests from './0002-newest-requests.ts';
import * as childRuns from './0003-child-runs.ts';
import * as waitTexts from './0004-wait-texts.ts';
import * as inputLines from './0005-input-lines.ts';
import * as questionNumbers from './0006-question-numbers.ts';
import * as retries from './0007-retries.ts';

/** All migrations, oldest first. A released migration never changes; `migrations.spec.ts` records what each does. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001-read-model': { up: (db) => readModel.up(db) },
  '0002-newest-requests': { up: (db) => newestRequests.up(db) },
  '0003-child-runs': { up: (db) => childRuns.up(db) },
  '0004-wait-texts': { up: (db) => waitTexts.up(db) },
  '0005-input-lines': { up: (db) => inputLines.up(db) },
  '0006-question-numbers': { up: (db) => questionNumbers.up(db) },
  '0007-retries': { up: (db) => retries.up(db) },
};

/**
 * Applies pending migrations. Safe to call from several processes concurrently (Kysely takes an advisory lock).
 * @param schema schema for the table of applied migrations; by default that of the connection
 * @returns the names of the migrations applied by this call
 */
export async function migrate(db: Database, schema?: string): Promise<string[]> {
  const provider = { getMigrations: async () => ({ ...MIGRATIONS }) };
  const migrator = new Migrator({ db, provider, ...(schema !== undefined && { migrationTableSchema: schema }) });
  const { error, results } = await migrator.migrateToLatest();
  if (error) throw error;
  return (results ?? []).map(({ migrationName }) => migrationName);
}
