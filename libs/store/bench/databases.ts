import type { TestPostgres } from '@reins/testing';
import { migrate, openDatabase } from '../src/index.ts';

/** A database with the read model's tables in it. @returns its URL */
export async function prepared(postgres: TestPostgres, name: string): Promise<string> {
  const url = await postgres.createDatabase({ name });
  const db = openDatabase({ url });
  await migrate(db);
  await db.destroy();
  return url;
}

export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] as number;
