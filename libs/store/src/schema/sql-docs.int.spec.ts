import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startPostgres, type TestPostgres } from '@reins/testing';
import { sql } from 'kysely';
import { type Database, openDatabase } from '../database.ts';
import { migrate } from '../migrations/migrate.ts';
import { describeTables } from './describe-tables.ts';

const PAGE = new URL('../../../../docs/sql.md', import.meta.url);
const page = readFileSync(PAGE, 'utf8');
const queries = [...page.matchAll(/```sql\n([\s\S]*?)```/g)].map(([, query = '']) => query);

let postgres: TestPostgres;
let db: Database;
beforeAll(async () => {
  postgres = await startPostgres();
  db = openDatabase({ url: await postgres.createDatabase() });
  await migrate(db);
});
afterAll(async () => {
  await db.destroy();
  await postgres.stop();
});

test('the page describes every table and column; REINS_UPDATE_DOCS=1 writes it', () => {
  const part = /(?<=<!-- begin: tables -->\n)[\s\S]*?(?=<!-- end: tables -->)/;
  const described = page.replace(part, () => `\n${describeTables()}\n\n`);
  if (process.env.REINS_UPDATE_DOCS) writeFileSync(PAGE, described);
  else expect(page).toBe(described);
});

test('the page has ten queries', () => {
  expect(queries).toHaveLength(10);
});

test.each(queries)('the query runs: %s', async (query) => {
  await sql.raw(query).execute(db);
});
