import { type Migration, Migrator } from 'kysely/migration';
import type { Database } from '../database.ts';
import * as readModel from './0001-read-model.ts';
import * as newestRequests from './0002-newest-requests.ts';
import * as childRuns from './0003-child-runs.ts';

/** Every migration, oldest first. One that was released is never changed: `migrations.spec.ts` holds what each does. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001-read-model': { up: (db) => readModel.up(db) },
  '0002-newest-requests': { up: (db) => newestRequests.up(db) },
  '0003-child-runs': { up: (db) => childRuns.up(db) },
};

/**
 * Brings the schema up to date; does nothing when it is. Safe to call from several processes at once (Kysely takes an advisory lock).
 * @param schema where the migrations that were applied are written down; the one that the connections work in
 * @returns the names of the migrations that were applied now
 */
export async function migrate(db: Database, schema?: string): Promise<string[]> {
  const provider = { getMigrations: async () => ({ ...MIGRATIONS }) };
  const migrator = new Migrator({ db, provider, ...(schema !== undefined && { migrationTableSchema: schema }) });
  const { error, results } = await migrator.migrateToLatest();
  if (error) throw error;
  return (results ?? []).map(({ migrationName }) => migrationName);
}
