import type { TestPostgres } from '@reins/testing';
import { migrate, openDatabase } from '../src/index.ts';

/**
 * Creates a database with the tables of the read model.
 * @returns its URL
 */
export async function createPreparedDatabase(postgres: TestPostgres, name: string): Promise<string> {
  const url = await postgres.createDatabase({ name });
  const db = openDatabase({ url });
  await migrate(db);
  await db.destroy();
  return url;
}

export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] as number;
