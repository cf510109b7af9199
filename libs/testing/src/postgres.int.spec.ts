import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { startPostgres, type TestPostgres } from './postgres.ts';

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

describe('a test Postgres', () => {
  let postgres: TestPostgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres.stop());

  it('is version 18, in UTF-8 and UTC', async () => {
    const [row] = await query(postgres.url, "select current_setting('server_version_num')::int / 10000 as version");
    expect(row).toEqual({ version: 18 });
    expect(await query(postgres.url, 'show server_encoding')).toEqual([{ server_encoding: 'UTF8' }]);
    expect(await query(postgres.url, 'show timezone')).toEqual([{ TimeZone: 'UTC' }]);
  });

  it('creates isolated databases, or copies of a template', async () => {
    const template = await postgres.createDatabase({ name: 'template_a' });
    await query(template, 'create table t as select 7 as n');
    const copy = await postgres.createDatabase({ template: 'template_a' });
    const empty = await postgres.createDatabase();
    expect(await query(copy, 'select n from t')).toEqual([{ n: 7 }]);
    await expect(query(empty, 'select n from t')).rejects.toThrow(/does not exist/);
  });

  it('keeps committed data after a crash, on the same port', async () => {
    const database = await postgres.createDatabase({ name: 'kept' });
    await query(database, 'create table t as select 1 as n');
    await postgres.kill();
    await expect(query(database, 'select n from t')).rejects.toThrow(/ECONNREFUSED/);
    await postgres.restart();
    expect(await query(database, 'select n from t')).toEqual([{ n: 1 }]);
  });
});
