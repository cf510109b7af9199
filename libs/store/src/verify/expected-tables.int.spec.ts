import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { startPostgres, type TestPostgres } from '@reins/testing';
import { type Database, openDatabase } from '../database.ts';
import { migrate } from '../migrations/migrate.ts';
import type { LogItem } from '../projection/log-event.ts';
import { recordedRun } from '../testing/recorded-run.ts';
import { writeBatch } from '../write/write-batch.ts';
import { type ComparedLog, type Comparison, ExpectedTables } from './expected-tables.ts';

let postgres: TestPostgres;
let db: Database;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());
beforeEach(async () => {
  db = openDatabase({ url: await postgres.createDatabase(), maxConnections: 1 });
  await migrate(db);
  await writeBatch(db, items, { stream: 'EVENTS@1', generation: 1, seq: items.length });
});

afterEach(() => db.destroy());

const run = recordedRun();
const requestId = run[0]?.body.requestId;
const items: LogItem[] = run.map((event) => ({ event }));

const compared = (log: Partial<ComparedLog> = {}): Promise<Comparison> =>
  ExpectedTables.create(db, async (tables) => {
    for (let from = 0; from < items.length; from += 7) await tables.write(items.slice(from, from + 7));
    return tables.compare({ generation: 1, firstSeq: 1, ...log });
  });
const listed = ({ tables }: Comparison) => tables.flatMap((table) => table.listed);

test('finds no difference in the rows of the same events, and leaves nothing behind', async () => {
  const comparison = await compared();
  expect(comparison).toMatchObject({ requests: 1, skippedRequests: 0 });
  expect(listed(comparison)).toEqual([]);
  expect(await db.selectFrom('requests').selectAll().execute()).toHaveLength(1);
});

test('finds missing, unexpected and different rows with their keys', async () => {
  await db
    .updateTable('requests')
    .set({ status: 'failed', output: JSON.stringify({ text: 'other' }) })
    .execute();
  await db.deleteFrom('approvals').execute();
  const [session] = await db.selectFrom('sessions').selectAll().execute();
  if (session)
    await db
      .insertInto('sessions')
      .values({ ...session, session_id: 'unexpected' })
      .execute();
  expect(listed(await compared())).toEqual([
    {
      table: 'requests',
      key: `request_id=${requestId}`,
      kind: 'different',
      columns: [
        { column: 'status', expected: 'completed', actual: 'failed' },
        { column: 'output', expected: { text: 'done' }, actual: { text: 'other' } },
      ],
    },
    { table: 'sessions', key: 'workspace_id=quickstart session_id=unexpected', kind: 'unexpected' },
    { table: 'approvals', key: `request_id=${requestId} approval_id=a1`, kind: 'missing' },
  ]);
});

test('counts all differences of a table and lists the first', async () => {
  const [request] = await db.selectFrom('requests').selectAll().execute();
  if (!request) throw new Error('no request');
  const json = { input: JSON.stringify(request.input), output: JSON.stringify(request.output) };
  const rows = Array.from({ length: 1_001 }, (_, index) => ({ ...request, ...json, request_id: `r${index}` }));
  await db.insertInto('requests').values(rows).execute();
  const [requests] = (await compared()).tables;
  expect(requests?.count).toBe(1_001);
  expect(requests?.listed).toHaveLength(1_000);
});

test.each([
  { what: 'the log no longer has', log: { firstSeq: 2 } },
  { what: 'another log has', log: { firstSeq: undefined } },
])('skips requests with events that $what', async ({ log }) => {
  await db.updateTable('requests').set({ status: 'failed' }).execute();
  const comparison = await compared(log);
  expect(comparison).toMatchObject({ requests: 0, skippedRequests: 1 });
  expect(listed(comparison)).toEqual([]);
});
