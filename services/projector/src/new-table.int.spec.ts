import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Bus, connectBus, OrderedPublisher, provision } from '@reins/bus';
import { defined } from '@reins/contracts';
import {
  type Database,
  forgetLostEvents,
  type LogItem,
  migrate,
  openDatabase,
  projection,
  READ_MODEL,
  type ReadModel,
  type RowOf,
  readProjectionPosition,
  readSnapshot,
  rowsIn,
  table,
  writeBatch,
} from '@reins/store';
import { recordedRun } from '@reins/store/testing';
import { startNats, startPostgres, type TestNats, type TestPostgres } from '@reins/testing';
import { rebuild } from './rebuild/rebuild.ts';
import { logState } from './start-position.ts';
import { verifyProjections } from './verify/verify.ts';

// A new table has three files: a declaration, a migration, and the list of `read-model.ts`.

/** The declaration. */
const TOOL_CALLS = table('tool_calls', {
  meaning: 'Calls of tools by request.',
  key: ['request_id', 'tool_id'],
  columns: { request_id: 'text', tool_id: 'text', calls: 'integer', last_seq: 'bigint' },
});
type ToolCallRow = RowOf<typeof TOOL_CALLS>;
const toolCallsProjection = projection({
  table: TOOL_CALLS,
  scope: 'request',
  mode: 'fold',
  keysOf: ({ body }) =>
    body.type === 'runtime.adapter.event' && body.event.phase === 'agent.tool.start'
      ? [[body.requestId, String(body.event.toolId)]]
      : [],
  evolve: (row, { seq }, _rows, [request_id, tool_id]): ToolCallRow => ({
    request_id: String(request_id),
    tool_id: String(tool_id),
    calls: (row?.calls ?? 0) + 1,
    last_seq: seq,
  }),
});

/** A table whose rows never change. */
const TOOL_STARTS = table('tool_starts', {
  meaning: 'Starts of tools.',
  key: ['ce_id'],
  columns: { ce_id: 'text', request_id: 'text', tool_id: 'text' },
});
const toolStartsProjection = projection({
  table: TOOL_STARTS,
  scope: 'request',
  mode: 'append',
  evolve: ({ id, body }): RowOf<typeof TOOL_STARTS>[] =>
    body.type === 'runtime.adapter.event' && body.event.phase === 'agent.tool.start'
      ? [{ ce_id: id, request_id: body.requestId, tool_id: String(body.event.toolId) }]
      : [],
});

/** The migrations. */
const toolCalls: ReadModel['migrations'][string] = {
  up: (db) =>
    db.schema
      .createTable('tool_calls')
      .addColumn('request_id', 'text', (column) => column.notNull())
      .addColumn('tool_id', 'text', (column) => column.notNull())
      .addColumn('calls', 'integer', (column) => column.notNull())
      .addColumn('last_seq', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('tool_calls_key', ['request_id', 'tool_id'])
      .execute(),
};

const toolStarts: ReadModel['migrations'][string] = {
  up: (db) =>
    db.schema
      .createTable('tool_starts')
      .addColumn('ce_id', 'text', (column) => column.primaryKey())
      .addColumn('request_id', 'text', (column) => column.notNull())
      .addColumn('tool_id', 'text', (column) => column.notNull())
      .execute(),
};

/** The list. */
const MODEL: ReadModel = {
  projections: [...READ_MODEL.projections, toolCallsProjection, toolStartsProjection],
  migrations: { ...READ_MODEL.migrations, '9998-tool-starts': toolStarts, '9999-tool-calls': toolCalls },
};

let nats: TestNats;
let postgres: TestPostgres;
let bus: Bus;
let db: Database;
let databaseUrl: string;
beforeAll(async () => {
  nats = await startNats();
  postgres = await startPostgres();
  bus = await connectBus({ servers: nats.url, name: 'test' });
  await provision(bus, { managed: 'self', partitions: 4, replicas: 1, runtimeIds: [] });
  databaseUrl = await postgres.createDatabase();
  db = openDatabase({ url: databaseUrl });
});
afterAll(async () => {
  await db.destroy();
  await bus.close();
  await Promise.all([nats.stop(), postgres.stop()]);
});

const run = recordedRun();
const items: LogItem[] = run.map((event) => ({ event }));

test('batches, snapshots, verify and rebuilds take a new table', async () => {
  const publisher = new OrderedPublisher(bus);
  await publisher.publishAll(
    run.map(({ id, subject, source, time, version, body }) => ({
      subject,
      data: new TextEncoder().encode(JSON.stringify(body)),
      headers: { id, type: body.type, source, time, ...defined({ version }) },
    })),
  );
  await publisher.close();
  const { identity: stream, lastSeq } = await logState(bus);
  await migrate(db, undefined, MODEL);

  for (const [index, item] of items.entries())
    await writeBatch(db, [item], defined({ stream, generation: 1, seq: index + 1, ceId: run[index]?.id }), MODEL);
  expect((await readProjectionPosition(db))?.seq).toBe(lastSeq);

  const stored = async () => rowsIn((await readSnapshot(db, MODEL)).rows, TOOL_CALLS);
  const startsOf = async () => rowsIn((await readSnapshot(db, MODEL)).rows, TOOL_STARTS);
  const expected = [{ request_id: run[0]?.body.requestId, tool_id: 'read', calls: 1, last_seq: expect.any(Number) }];
  expect(await stored()).toEqual(expected);
  expect(await verifyProjections(bus, db, MODEL)).toMatchObject({ ok: true, requests: 1 });

  await db.withTables<{ tool_calls: ToolCallRow }>().updateTable('tool_calls').set({ calls: 7 }).execute();
  expect((await verifyProjections(bus, db, MODEL)).differences).toEqual([
    {
      table: 'tool_calls',
      key: `request_id=${run[0]?.body.requestId} tool_id=read`,
      kind: 'different',
      columns: [{ column: 'calls', expected: 1, actual: 7 }],
    },
  ]);

  await rebuild({ bus, db, databaseUrl, whilePaused: (work) => work(), onProgress: () => {} }, MODEL);
  expect(await stored()).toEqual(expected);
  expect(await verifyProjections(bus, db, MODEL)).toMatchObject({ ok: true, requests: 1 });

  // The log loses the call and everything after it.
  const before = run.findIndex(
    ({ body }) => body.type === 'runtime.adapter.event' && body.event.phase === 'agent.tool.start',
  );
  const position = defined({ stream, generation: 1, seq: before, ceId: run[before - 1]?.id });
  expect(await startsOf()).toHaveLength(1);
  await forgetLostEvents(db, position, { ids: [], error: { code: 'internal_error', message: 'lost' } }, MODEL);
  expect([await stored(), await startsOf()]).toEqual([[], []]);
});
