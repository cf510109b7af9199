import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startPostgres, type TestPostgres } from '@reins/testing';
import { migrateDatabase } from './migrate-database.ts';

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());

test('an empty database is migrated once', async () => {
  const url = await postgres.createDatabase();
  expect((await migrateDatabase(url)).length).toBeGreaterThan(0);
  expect(await migrateDatabase(url)).toEqual([]);
});

test('a Postgres that is not there is an error', async () => {
  await expect(migrateDatabase('postgres://reins@127.0.0.1:1/reins')).rejects.toThrow('ECONNREFUSED');
});
