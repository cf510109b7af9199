import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startPostgres, type TestPostgres } from '@reins/testing';
import { type Kysely, sql } from 'kysely';
import { type Database, isRejectedData, openDatabase } from './database.ts';
import { migrate } from './migrations/migrate.ts';
import type { LogEvent, LogItem } from './projection/log-event.ts';
import { project } from './projection/project.ts';
import { readSnapshot } from './queries/all-rows.ts';
import { childRunsOf } from './queries/child-runs.ts';
import { listEvents, listTraceViews } from './queries/events.ts';
import { readProjectionPosition } from './queries/projection-position.ts';
import { findRequest, listRequests, requestFromLog } from './queries/requests.ts';
import { MIGRATIONS, TABLES } from './read-model.ts';
import { ShadowTables } from './rebuild/shadow-tables.ts';
import { isNullable, sqlTypeOf } from './schema/table.ts';
import { recordedRun } from './testing/recorded-run.ts';
import { forgetLostEvents } from './write/forget-lost-events.ts';
import { writeBatch } from './write/write-batch.ts';

const asItems = (events: readonly LogEvent[]): LogItem[] => events.map((event) => ({ event }));
const position = (seq: number, ceId?: string) => ({ stream: 'EVENTS@1', generation: 1, seq, ...(ceId && { ceId }) });
const run = recordedRun();
const items = asItems(run);
const requestId = run[0]?.body.requestId ?? '';

let postgres: TestPostgres;
let db: Database;
beforeAll(async () => {
  postgres = await startPostgres();
  db = openDatabase({ url: await postgres.createDatabase({ name: 'template_store' }) });
  await migrate(db);
  await db.destroy();
});
afterAll(() => postgres.stop());

let count = 0;
beforeEach(async () => {
  db = openDatabase({ url: await postgres.createDatabase({ name: `store_${++count}`, template: 'template_store' }) });
});
afterEach(() => db.destroy());

const sorted = (rows: readonly object[]): object[] =>
  [...rows].sort((a, b) => (JSON.stringify(Object.values(a)) < JSON.stringify(Object.values(b)) ? -1 : 1));

describe('the schema', () => {
  test('is created once, also by concurrent processes', async () => {
    const empty = openDatabase({ url: await postgres.createDatabase() });
    const applied = await Promise.all([migrate(empty), migrate(empty), migrate(empty)]);
    expect(applied.flat()).toEqual(Object.keys(MIGRATIONS));
    await empty.destroy();
  });

  test.each(TABLES.map((table) => [table.name, table] as const))('has %s as declared', async (name, table) => {
    const { rows } = await sql<{ column_name: string; data_type: string; is_nullable: string }>`
      select column_name, data_type, is_nullable from information_schema.columns where table_name = ${name} order by ordinal_position`.execute(
      db,
    );
    const declared = Object.entries(table.columns).map(([column, spec]) => ({
      column_name: column,
      data_type: sqlTypeOf(spec) === 'timestamptz' ? 'timestamp with time zone' : sqlTypeOf(spec),
      is_nullable: isNullable(spec) ? 'YES' : 'NO',
    }));
    expect(rows).toEqual(declared);
  });
});

describe('a batch', () => {
  test('writes exactly the rows of the folded log, and its position', async () => {
    expect(await writeBatch(db, items, position(42, 'x'))).toMatchObject({
      applied: run.length,
      duplicates: 0,
      unreadable: 0,
      ends: { runs: ['completed'] },
    });
    const { rows } = await readSnapshot(db);
    const expected = project(items, 1);
    for (const table of Object.keys(expected) as (keyof typeof expected)[]) {
      expect(sorted(rows[table])).toEqual(sorted(expected[table]));
    }
    expect(await readProjectionPosition(db)).toEqual(position(42, 'x'));
  });

  test('may end anywhere in the log', async () => {
    for (const [index, item] of items.entries()) await writeBatch(db, [item], position(index + 1));
    const { rows } = await readSnapshot(db);
    const expected = project(items, 1);
    expect(sorted(rows.stage_runs)).toEqual(sorted(expected.stage_runs));
    expect(rows.requests).toEqual(expected.requests);
  });

  test('with known events changes only the position', async () => {
    await writeBatch(db, [...items, ...items], position(10));
    const before = await readSnapshot(db);
    const again = items.map((item) =>
      'event' in item ? { event: { ...item.event, seq: item.event.seq + 1000 } } : item,
    );
    expect(await writeBatch(db, again, position(20))).toEqual({
      applied: 0,
      duplicates: run.length,
      unreadable: 0,
      ends: { runs: [], stages: [] },
    });
    expect((await readSnapshot(db)).rows).toEqual(before.rows);
    expect(await readProjectionPosition(db)).toEqual(position(20));
  });

  test('does not record signals of a fenced attempt, like a rebuild', async () => {
    const signal = run.find(({ body }) => body.type === 'runtime.adapter.event') as LogEvent;
    const late = { ...signal, id: 'late', seq: run.length + 1 };
    await writeBatch(db, items, position(run.length));
    await writeBatch(db, asItems([late]), position(late.seq));
    const { rows } = await readSnapshot(db);
    expect(sorted(rows.events)).toEqual(sorted(project(asItems([...run, late]), 1).events));
  });

  describe('with facts that arrive behind later facts of their run', () => {
    const isLate = ({ body }: LogEvent): boolean =>
      body.type === 'runtime.stage.completed' && body.tree === 'b'.repeat(64);
    const late = [...run.filter((event) => !isLate(event)), ...run.filter(isLate)];
    const log = asItems(late.map((event, index) => ({ ...event, seq: index + 1 })));
    const expected = project(log, 1);
    const state = ['requests', 'sessions', 'stage_runs', 'approvals', 'artifacts', 'run_positions'] as const;

    test.each([1, 7, log.length])('writes the rows of the facts in causal order (%i at once)', async (size) => {
      for (let from = 0; from < log.length; from += size)
        await writeBatch(db, log.slice(from, from + size), position(from + size));
      const { rows } = await readSnapshot(db);
      for (const name of state) expect(sorted(rows[name])).toEqual(sorted(expected[name]));
      expect(rows.requests).toMatchObject([{ status: 'completed', tree: 'b'.repeat(64) }]);
      expect(rows.stage_runs.filter(({ status }) => status === 'completed')).toHaveLength(3);
    });

    test('its migration gives stored runs their positions', async () => {
      await writeBatch(db, log, position(log.length));
      await sql`drop table run_positions`.execute(db);
      await db
        .transaction()
        .execute(async (trx) => MIGRATIONS['0008-run-positions']?.up(trx as unknown as Kysely<unknown>));
      expect((await readSnapshot(db)).rows.run_positions).toEqual(expected.run_positions);
    });

    test('a rebuild writes the same rows', async () => {
      const url = await postgres.createDatabase({ name: `late_${count}`, template: 'template_store' });
      const live = openDatabase({ url });
      const shadow = await ShadowTables.create(url);
      for (let from = 0; from < log.length; from += 7) await shadow.write(log.slice(from, from + 7), 1);
      await shadow.swap({ generation: 1, firstSeq: 1 });
      await shadow.close();
      const { rows } = await readSnapshot(live);
      for (const name of state) expect(sorted(rows[name])).toEqual(sorted(expected[name]));
      await live.destroy();
    });
  });

  test('the migration of usage gives stored reports their source', async () => {
    const log = asItems(run);
    await writeBatch(db, log, position(log.length));
    await sql`alter table usage drop column source`.execute(db);
    await db
      .transaction()
      .execute(async (trx) => MIGRATIONS['0009-usage-source']?.up(trx as unknown as Kysely<unknown>));
    expect((await readSnapshot(db)).rows.usage).toMatchObject([{ source: 'reported' }]);
  });

  test('stores unreadable messages', async () => {
    const problem = { code: 'message_invalid' as const, message: 'not JSON' };
    const unreadable = { seq: 3, subject: 'runtime.x', time: '2026-01-01T00:00:00.000Z', problem };
    expect(await writeBatch(db, [{ unreadable }], position(3))).toMatchObject({ unreadable: 1, applied: 0 });
    expect((await readSnapshot(db)).rows.unreadable_messages).toMatchObject([
      { generation: 1, seq: 3, message: 'not JSON' },
    ]);
  });

  test('that Postgres rejects writes no row and no position', async () => {
    const [first] = run as [LogEvent];
    const batch = writeBatch(
      db,
      asItems([first, { ...first, id: 'y', time: '+275760-09-13T00:00:00.000Z' }]),
      position(2),
    );
    expect(isRejectedData(await batch.catch((error: unknown) => error))).toBe(true);
    expect(await readProjectionPosition(db)).toBeUndefined();
    expect((await readSnapshot(db)).rows.events).toEqual([]);
  });

  test('stores text with characters that Postgres does not support', async () => {
    const last = run.at(-2) as LogEvent;
    const body = { ...last.body, output: { text: 'a\0b\ud800' } } as LogEvent['body'];
    await writeBatch(db, asItems([{ ...last, body }]), position(1));
    expect((await findRequest(db, requestId))?.request.output).toEqual({ text: 'a\ufffdb\ufffd' });
  });
});

describe('a log that was set back', () => {
  const lost = { ids: [], error: { code: 'request_lost', message: 'lost' } } as const;

  test('leaves the rows of what is left, also of a session with more events than one page', async () => {
    const runs = Array.from({ length: 30 }, (_, index) => recordedRun({ requestId: `R${index}` }));
    // The second half of each run comes after the first halves of all of them. Two facts of each run are in the wrong order.
    const halves = [0, 20].flatMap((from) => runs.flatMap((events) => events.slice(from, from + 20)));
    const swapped = halves.map((event, index) => (index % 20 === 5 ? halves[index + 1] : event));
    const log = swapped.map((event, index) => ({
      ...((index % 20 === 6 ? halves[index - 1] : event) as LogEvent),
      seq: index + 1,
    }));
    const left = log.length - 50;
    expect(left).toBeGreaterThan(1_000);
    await writeBatch(db, asItems(log), position(log.length));
    expect(await forgetLostEvents(db, position(left), lost)).toEqual([]);
    const expected = project(asItems(log.slice(0, left)), 1);
    const { rows } = await readSnapshot(db);
    for (const [name, all] of Object.entries(rows))
      expect([name, sorted(all)]).toEqual([name, sorted(expected[name as never])]);
    expect((await readProjectionPosition(db))?.seq).toBe(left);
  });

  test('is compared without reading the whole table of events', async () => {
    const { rows } = await db.transaction().execute(async (trx) => {
      await sql`set local enable_seqscan = off`.execute(trx);
      return sql`explain select ce_id from events where generation = 1 and seq > 10`.execute(trx);
    });
    expect(JSON.stringify(rows)).toContain('events_by_position');
  });
});

describe('queries', () => {
  beforeEach(async () => {
    await writeBatch(db, items, position(run.length));
    const other = recordedRun({ requestId: '01KAJ00000000000000000RUN2', sessionId: 's2', firstSeq: 100 });
    await writeBatch(db, asItems(other.slice(0, 3)), position(200));
  });

  test('return the same request from the rows and from the log', async () => {
    expect(await findRequest(db, requestId)).toEqual(requestFromLog(items, requestId));
    expect(await findRequest(db, 'unknown')).toBeUndefined();
    expect(requestFromLog(items, 'unknown')).toBeUndefined();
  });

  test('list requests newest first, filtered and paged', async () => {
    const ids = async (filter: object) =>
      (await listRequests(db, { limit: 10, ...filter })).map((row) => row.request_id.slice(-4));
    const child = recordedRun({ requestId: 'run_883714138f033c05a02ad9RUN3', sessionId: 's3', firstSeq: 50 });
    await writeBatch(db, asItems(child.slice(0, 3)), position(300));
    expect(await ids({})).toEqual(['RUN2', 'RUN3', 'RUN1']);
    expect(await ids({ limit: 1 })).toEqual(['RUN2']);
    expect(await ids({ before: 'run_883714138f033c05a02ad9RUN3' })).toEqual(['RUN1']);
    await db.deleteFrom('requests').where('session_id', '=', 's3').execute();
    expect(await ids({ before: '01KAJ00000000000000000RUN2' })).toEqual(['RUN1']);
    expect(await ids({ status: 'completed' })).toEqual(['RUN1']);
    expect(await ids({ sessionId: 's2', workspaceId: 'quickstart' })).toEqual(['RUN2']);
    expect(await ids({ workspaceId: 'other' })).toEqual([]);
  });

  describe('of a request with child runs', () => {
    const top = { requestId: 'TOP', workspaceId: 'nested', sessionId: 'st' };
    const parentOf = (id: string, depth: number) => ({
      requestId: id,
      sessionId: 'st',
      agentId: 'main',
      effectId: `of-${id}`,
      attempt: 1,
      depth,
      rootRequestId: 'TOP',
    });
    const runs = [
      recordedRun({ ...top, firstSeq: 1000 }).slice(0, 3),
      recordedRun({ ...top, requestId: 'C1', sessionId: 'C1', parent: parentOf('TOP', 1), firstSeq: 1100 }),
      recordedRun({ ...top, requestId: 'C2', sessionId: 'C2', parent: parentOf('C1', 2), firstSeq: 1200 }),
      recordedRun({ ...top, requestId: 'C3', sessionId: 'C3', parent: parentOf('TOP', 1), firstSeq: 1300 }).slice(0, 9),
    ];
    const all = asItems(runs.flat());
    const idsOf = (rows: readonly { readonly request_id: string }[]) => [...new Set(rows.map((row) => row.request_id))];

    beforeEach(() => writeBatch(db, all, position(2000)));

    test('a request has the stage runs, usage and artifacts of all of them', async () => {
      const found = await findRequest(db, 'TOP');
      expect(idsOf(found?.children ?? [])).toEqual(['C1', 'C2', 'C3']);
      expect(idsOf(found?.stageRuns ?? [])).toEqual(['C1', 'C2', 'C3']);
      expect(found?.stageRuns).toHaveLength(9);
      expect([idsOf(found?.usage ?? []), idsOf(found?.artifacts ?? [])]).toEqual([
        ['C1', 'C2'],
        ['C1', 'C2'],
      ]);
      expect(found).toEqual(requestFromLog(all, 'TOP'));
    });

    test('a child run has its own and those below it', async () => {
      const found = await findRequest(db, 'C1');
      expect([idsOf(found?.children ?? []), idsOf(found?.stageRuns ?? [])]).toEqual([['C2'], ['C1', 'C2']]);
      expect((await findRequest(db, 'C3'))?.children).toEqual([]);
    });

    test('the request is listed once, also when only a child run matches', async () => {
      const ids = async (filter: object) =>
        idsOf(await listRequests(db, { limit: 10, workspaceId: 'nested', ...filter }));
      expect(await ids({})).toEqual(['TOP']);
      expect(await ids({ status: 'completed' })).toEqual(['TOP']);
      expect(await ids({ status: 'running' })).toEqual(['TOP']);
      expect(await ids({ sessionId: 'C2' })).toEqual(['TOP']);
      expect(await ids({ status: 'failed' })).toEqual([]);
      expect(await ids({ sessionId: 'C3', status: 'completed' })).toEqual([]);
      expect(await ids({ workspaceId: 'quickstart', status: 'completed' })).toHaveLength(1);
      expect(idsOf(await childRunsOf(db, await listRequests(db, { limit: 10 })))).toEqual(['C1', 'C2', 'C3']);
    });
  });

  test('list events in pages and views by name', async () => {
    const page = await listEvents(db, requestId, { afterSeq: 2, limit: 3 });
    expect(page.map((row) => row.seq)).toEqual([3, 4, 5]);
    expect(await listEvents(db, requestId, { afterSeq: 2, beforeSeq: 4, limit: 3 })).toHaveLength(1);
    const tools = await listTraceViews(db, requestId, 'runtime.trace.agent.tool');
    expect(tools.map((row) => row.tool_id)).toEqual(['read', 'read']);
  });

  test('list events and views of the current stream only', async () => {
    // Without signals: their attempts have ended.
    const facts = run.filter(({ body }) => body.type !== 'runtime.adapter.event');
    const again = facts.map((event) => ({ event: { ...event, id: `${event.id}.2` } }));
    const ids = facts.map(({ id }) => id);
    const before = (await listTraceViews(db, requestId)).filter((row) => ids.includes(row.ce_id));
    await writeBatch(db, again, { stream: 'EVENTS@2', generation: 2, seq: again.length });
    const views = await listTraceViews(db, requestId);
    expect(new Set(views.map((row) => row.generation))).toEqual(new Set([2]));
    expect(views).toHaveLength(before.length);
    expect(await listEvents(db, requestId, { afterSeq: 0, limit: 1_000 })).toHaveLength(facts.length);
  });
});
