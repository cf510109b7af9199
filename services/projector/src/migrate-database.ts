import { migrate, openDatabase } from '@reins/store';

/**
 * Applies pending migrations of the read model, for a job that runs before or next to the projector.
 * @param url the address of Postgres
 * @returns the names of the applied migrations
 * @throws the errors of Postgres
 */
export async function migrateDatabase(url: string): Promise<string[]> {
  const db = openDatabase({ url, name: 'reins-migrations', maxConnections: 1 });
  try {
    return await migrate(db);
  } finally {
    await db.destroy();
  }
}
