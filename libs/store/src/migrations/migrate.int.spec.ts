import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startPostgres, type TestPostgres } from '@reins/testing';
import { sql } from 'kysely';
import { openDatabase } from '../database.ts';
import { MIGRATIONS } from '../read-model.ts';
import { migrate } from './migrate.ts';

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());

test('the read model is migrated after the tables of another schema', async () => {
  const db = openDatabase({ url: postgres.url, name: 'test', maxConnections: 1 });
  await sql`create schema other`.execute(db);
  await migrate(db, 'other', { migrations: {} });
  expect(await migrate(db)).toEqual(Object.keys(MIGRATIONS));
  expect(await migrate(db)).toEqual([]);
  await db.destroy();
});
