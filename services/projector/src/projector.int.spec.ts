import { cp, rm } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createInbox, headers } from '@nats-io/nats-core';
import { Blobs, type Bus, connectBus, externalise, OrderedPublisher, provision } from '@reins/bus';
import { defined, HEADERS, heldSubject, inboxSubject } from '@reins/contracts';
import { type RunningService, Settings, startService } from '@reins/service-kit';
import {
  type Database,
  findRequest,
  type LogEvent,
  migrate,
  openDatabase,
  readProjectionPosition,
  requestFromLog,
} from '@reins/store';
import { recordedRun } from '@reins/store/testing';
import { startNats, startPostgres, type TestNats, type TestPostgres, tempDir } from '@reins/testing';
import { sql } from 'kysely';
import { formatReport, projector, REBUILD_SUBJECT, type RebuildEvent, verifyProjections } from './index.ts';

let nats: TestNats;
let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());

let bus: Bus;
let db: Database;
let settings: Settings;
let service: RunningService | undefined;

beforeEach(async () => {
  nats = await startNats();
  bus = await connectBus({ servers: nats.url, name: 'test' });
  await provision(bus, { managed: 'self', partitions: 4, replicas: 1, runtimeIds: [] });
  settings = new Settings();
  settings.nats.url = nats.url;
  settings.nats.partitions = 4;
  settings.database.url = await postgres.createDatabase();
  settings.http.port = 0;
  settings.log.level = 'error';
  settings.host.runtimes = [];
  db = openDatabase({ url: settings.database.url });
});

afterEach(async () => {
  await service?.stop();
  service = undefined;
  await db.destroy();
  await bus.close();
  await nats.stop();
});

const start = async (): Promise<void> => {
  service = await startService(projector, settings);
};

async function publish(events: readonly LogEvent[], externaliseOver?: number): Promise<void> {
  const publisher = new OrderedPublisher(bus);
  const blobs = await Blobs.open(bus);
  for (const { id, subject, source, time, version, body } of events) {
    const json = new TextEncoder().encode(JSON.stringify(body));
    const data = externaliseOver === undefined ? json : await externalise(blobs, json, externaliseOver);
    publisher.publish({ subject, data, headers: { id, type: body.type, source, time, ...defined({ version }) } });
  }
  await publisher.settled();
  await publisher.close();
}

/** Publishes the events again, as after the duplicate window of the stream. */
async function repeat(events: readonly LogEvent[]): Promise<void> {
  for (const { id, subject, body } of events) {
    const named = headers();
    named.set(HEADERS.id, id);
    await bus.js.publish(subject, JSON.stringify(body), { headers: named });
  }
}

/** The same events with other ids, and a failed end: as in a time that the log has lost. */
const failing = (events: readonly LogEvent[]): LogEvent[] =>
  events.map((event) => {
    const id = `lost.${event.id}`;
    if (event.body.type !== 'runtime.request.completed') return { ...event, id };
    const { requestId, sessionId, agentId, workspaceId } = event.body;
    const error = { code: 'harness_failed', message: 'it failed' } as const;
    const head = { requestId, sessionId, agentId, workspaceId };
    const subject = event.subject.replace('completed', 'failed');
    return { ...event, id, subject, body: { type: 'runtime.request.failed', ...head, error } };
  });

/** The command of `QUEUED` waits in the inbox, that of `HELD` is held, that of `TURN` is in its session. */
async function storeWaitingCommands(): Promise<void> {
  const workspaceId = run[0]?.body.workspaceId ?? '';
  const type = 'command.run.submit';
  const named = headers();
  named.set(HEADERS.type, type);
  await bus.js.publish(inboxSubject({ type, workspaceId, runId: 'QUEUED' }, 4), '{}', { headers: named });
  await bus.js.publish(heldSubject({ workspaceId, runId: 'HELD' }, 4), '{}', { headers: named });
  const session = { state: {}, queued: [{ requestId: 'TURN', submitRef: { sha256: 'a'.repeat(64), size: 2 } }] };
  await bus.js.publish(`$KV.sessions.${workspaceId}.s-TURN`, JSON.stringify(session));
  await bus.js.publish('$KV.requests.run.RECORDED', '{}');
}

/** Postgres closes the connection when the first lost request is ended. */
async function loseConnectionOnce(): Promise<void> {
  await sql`create sequence ends`.execute(db);
  await sql`create function lose_once() returns trigger language plpgsql as $$ begin
    if new.error::text like '%request_lost%' and nextval('ends') = 1 then
      raise exception 'the connection is lost' using errcode = '57P01';
    end if;
    return new; end $$`.execute(db);
  await sql`create trigger lose_once before update on requests for each row execute function lose_once()`.execute(db);
}

/** Resolves when the read model has caught up with the event log. */
async function projected(): Promise<void> {
  const { state } = await bus.jsm.streams.info('EVENTS');
  await until(async () => ((await readProjectionPosition(db).catch(() => undefined))?.seq ?? 0) >= state.last_seq);
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error('condition not met in time');
    await setTimeout(20);
  }
}

const statusOf = async (requestId: string): Promise<string | undefined> =>
  (await findRequest(db, requestId))?.request.status;

const run = recordedRun();
const requestId = run[0]?.body.requestId ?? '';

describe('the projector', () => {
  test('writes the rows of the folded event log, which verify confirms', async () => {
    await publish(run);
    await start();
    await projected();
    expect(await findRequest(db, requestId)).toEqual(
      requestFromLog(
        run.map((event) => ({ event })),
        requestId,
      ),
    );
    const report = await verifyProjections(bus, db);
    expect(report).toMatchObject({ ok: true, requests: 1, skippedRequests: 0, differences: [] });
    expect(formatReport(report)).toContain('the read model matches the event log');
  });

  test('reads bodies from the blob store', async () => {
    await start();
    await publish(run, 10);
    await projected();
    expect(await statusOf(requestId)).toBe('completed');
    expect((await verifyProjections(bus, db)).differences).toEqual([]);
  });

  test('continues after its position on a restart, and ignores repeated events', async () => {
    await publish(run.slice(0, 10));
    await start();
    await projected();
    await service?.stop();
    await repeat(run.slice(0, 10));
    await publish(run.slice(10));
    await start();
    await projected();
    expect(await statusOf(requestId)).toBe('completed');
    const metrics = await (await fetch(`${service?.url}/metrics`)).text();
    expect(metrics).toContain('reins_projector_messages_total{outcome="duplicate",service="projector"} 10');
    expect((await verifyProjections(bus, db)).differences).toEqual([]);
  });

  test('starts without Postgres, reports it, waits for it, and catches up', async () => {
    await postgres.stop();
    await start();
    await publish(run);
    const ready = await fetch(`${service?.url}/readyz`);
    expect(ready.status).toBe(503);
    expect(await ready.text()).toContain('postgres');
    await postgres.restart();
    await projected();
    expect(await statusOf(requestId)).toBe('completed');
    expect((await fetch(`${service?.url}/readyz`)).status).toBe(200);
  });

  test('loses nothing when Postgres crashes', async () => {
    await start();
    const runs = Array.from({ length: 30 }, (_, index) =>
      recordedRun({ requestId: `RUN${index}`, sessionId: `s${index}` }),
    );
    await publish(runs.slice(0, 15).flat());
    await postgres.kill();
    await publish(runs.slice(15).flat());
    await postgres.restart();
    await projected();
    const report = await verifyProjections(bus, db);
    expect(report).toMatchObject({ ok: true, requests: 30 });
  });

  test('continues after a NATS restart', async () => {
    await start();
    await publish(run.slice(0, 12));
    await projected();
    await nats.kill();
    await nats.restart();
    await until(() =>
      bus.nc.rtt().then(
        () => true,
        () => false,
      ),
    );
    await publish(run.slice(12));
    await projected();
    expect(await statusOf(requestId)).toBe('completed');
    expect((await verifyProjections(bus, db)).differences).toEqual([]);
  });

  test('stores invalid messages as unreadable and continues', async () => {
    await start();
    await bus.js.publish('runtime.request.started.w.r', 'not json');
    await bus.js.publish('runtime.what.ever', '{"type":"runtime.what"}');
    const rejected = { ...(run[0] as LogEvent), id: 'refused', time: '+275760-09-13T00:00:00.000Z' };
    await publish([
      ...run.slice(0, 5),
      {
        ...rejected,
        body: { ...rejected.body, requestId: 'OTHER' },
        subject: rejected.subject.replace(requestId, 'OTHER'),
      },
      ...run.slice(5),
    ]);
    await projected();
    const kept = await db.selectFrom('unreadable_messages').select(['seq', 'code']).orderBy('seq').execute();
    expect(kept).toEqual([
      { seq: 1, code: 'message_invalid' },
      { seq: 2, code: 'event_type_unknown' },
      { seq: 8, code: 'event_unstorable' },
    ]);
    expect(await statusOf(requestId)).toBe('completed');
    expect((await verifyProjections(bus, db)).differences).toEqual([]);
  });

  test('reads a replaced event log from its start, without counting anything twice', async () => {
    await publish(run);
    await start();
    await projected();
    await service?.stop();
    await bus.jsm.streams.delete('EVENTS');
    await provision(bus, { managed: 'self', partitions: 4, replicas: 1, runtimeIds: [] });
    const other = recordedRun({ requestId: 'OTHER', sessionId: 's2' });
    await publish([...run, ...other]);
    await start();
    await until(async () => (await readProjectionPosition(db))?.generation === 2);
    await projected();
    expect(await db.selectFrom('usage').selectAll().execute()).toHaveLength(2);
    expect(await verifyProjections(bus, db)).toMatchObject({ ok: true, requests: 1, skippedRequests: 1 });
  });

  test('reads a log again that was set back, and has grown past the position, while it runs', async () => {
    const backup = await tempDir('backup');
    const lost = recordedRun({ requestId: 'LOST', sessionId: 's2' });
    const half = recordedRun({ requestId: 'HALF', sessionId: 's4' });
    const queued = recordedRun({ requestId: 'QUEUED', sessionId: 's5' });
    const after = recordedRun({ requestId: 'AFTER', sessionId: 's3' });
    await publish([...run, ...half.slice(0, 5)]);
    await storeWaitingCommands();
    await nats.stop();
    await cp(nats.dir, backup, { recursive: true });
    await nats.restart();
    await until(async () => bus.state === 'connected');
    await start();
    const others = ['RECORDED', 'HELD', 'TURN'].map((id) => recordedRun({ requestId: id, sessionId: `s-${id}` }));
    await publish([...lost.slice(0, 5), ...failing(half.slice(5)), ...failing(queued)]);
    await publish(others.flatMap((events) => events.slice(0, 5)));
    await projected();
    expect(await Promise.all(['HALF', 'QUEUED'].map(statusOf))).toEqual(['failed', 'failed']);
    await loseConnectionOnce();
    await nats.kill();
    await rm(nats.dir, { recursive: true });
    await cp(backup, nats.dir, { recursive: true });
    await nats.restart();
    await until(async () => bus.state === 'connected');
    await publish([...after, ...half.slice(5), ...queued]);
    await until(async () => (await statusOf('QUEUED')) === 'completed');
    await projected();
    expect(await statusOf('AFTER')).toBe('completed');
    expect(await statusOf('HALF')).toBe('completed');
    expect(await statusOf('LOST')).toBe('failed');
    // The record of the gateway starts nothing.
    expect(await statusOf('RECORDED')).toBe('failed');
    // What waits will start again.
    expect(await Promise.all(['HELD', 'TURN'].map(statusOf))).toEqual([undefined, undefined]);
    // Only the lost requests cannot be compared with the log.
    const report = await verifyProjections(bus, db);
    expect(report).toMatchObject({ requests: 4, skippedRequests: 2, differences: [] });
    const { checks } = (await (await fetch(`${service?.url}/readyz`)).json()) as { checks: unknown[] };
    expect(checks).toContainEqual({ name: 'event-log', ready: true });
    expect(await (await fetch(`${service?.url}/metrics`)).text()).toMatch(
      /^reins_projector_gaps_total\{reason="rewound"/m,
    );
  });

  test('rebuilds the read model while events arrive, and corrects wrong rows', async () => {
    const older = recordedRun({ requestId: 'OLDER', sessionId: 's0' });
    await publish(older);
    await start();
    await projected();
    await service?.stop();
    await bus.jsm.streams.delete('EVENTS');
    await provision(bus, { managed: 'self', partitions: 4, replicas: 1, runtimeIds: [] });
    await publish(run);
    await start();
    await until(async () => (await readProjectionPosition(db))?.generation === 2);
    await projected();
    await db.updateTable('requests').set({ status: 'failed' }).where('request_id', '=', requestId).execute();
    await db.deleteFrom('stage_runs').where('request_id', '=', requestId).execute();
    expect((await verifyProjections(bus, db)).ok).toBe(false);

    const events: RebuildEvent[] = [];
    const reply = createInbox();
    const ended = Promise.withResolvers<void>();
    bus.nc.subscribe(reply, {
      callback: (_, message) => {
        events.push(message.json<RebuildEvent>());
        if (events.at(-1)?.phase === 'done' || events.at(-1)?.phase === 'failed') ended.resolve();
      },
    });
    const replyHeaders = headers();
    replyHeaders.set(HEADERS.reply, reply);
    await bus.js.publish(REBUILD_SUBJECT, '', { headers: replyHeaders });
    const meanwhile = recordedRun({ requestId: 'MEANWHILE', sessionId: 's3' });
    await publish(meanwhile);
    await ended.promise;
    expect(events.at(-1)).toEqual({ phase: 'done', messages: expect.any(Number), of: expect.any(Number) });
    // Progress is published during the rebuild, with increasing counts.
    expect(events[0]).toEqual({ phase: 'copying', messages: expect.any(Number), of: expect.any(Number) });
    const counts = events.map((event) => ('messages' in event ? event.messages : -1));
    expect(counts).toEqual(counts.toSorted((a, b) => a - b));
    expect(counts[0]).toBeGreaterThan(0);
    await projected();
    expect(await verifyProjections(bus, db)).toMatchObject({ ok: true, requests: 2, skippedRequests: 1 });
    const statuses = await db.selectFrom('requests').select(['request_id', 'status']).orderBy('request_id').execute();
    expect(statuses).toEqual(
      ['MEANWHILE', 'OLDER', requestId].sort().map((id) => ({ request_id: id, status: 'completed' })),
    );
    expect(await db.selectFrom('stage_runs').selectAll().where('request_id', '=', 'OLDER').execute()).not.toEqual([]);
    expect(await migrate(db)).toEqual([]);
  });

  test('counts runs by outcome, stages by runtime, and what waits; repeated events do not count', async () => {
    const scrape = async (): Promise<string> => (await fetch(`${service?.url}/metrics`)).text();
    const seriesOf = (text: string, name: string) =>
      Object.fromEntries(
        [...text.matchAll(new RegExp(`^${name}\\{([^}]*)\\} (\\S+)$`, 'gm'))].map(([, labels = '', value]) => [
          labels.replace(/,?service="projector",?/, '').replaceAll('"', ''),
          Number(value),
        ]),
      );
    const waiting = run.findIndex(({ body: { type } }) => type === 'runtime.request.waiting');
    const other = recordedRun({ requestId: 'R2', sessionId: 'S2', workspaceId: 'quickstart' });
    await publish(other.slice(0, waiting + 1));
    await publish(run);
    await start();
    await projected();
    await repeat(run.slice(-3));
    await projected();
    await until(async () => seriesOf(await scrape(), 'reins_runs_waiting')['reason=user'] === 1);
    const text = await scrape();
    expect(seriesOf(text, 'reins_runs_ended_total')).toEqual({ 'outcome=completed': 1 });
    expect(seriesOf(text, 'reins_runs_waiting_seconds')['reason=user']).toBeGreaterThan(0);
    const completed = run.filter(({ body: { type } }) => type === 'runtime.stage.completed').length;
    const stages = Object.entries(seriesOf(text, 'reins_stage_seconds_count'));
    expect(stages.filter(([labels]) => labels.includes('outcome=completed')).length).toBeGreaterThan(0);
    expect(stages.every(([labels]) => /^stage=\w+,runtime=\w+,outcome=\w+$/.test(labels))).toBe(true);
    expect(stages.reduce((sum, [, count]) => sum + count, 0)).toBeGreaterThanOrEqual(completed);
  });

  test('reports its lag', async () => {
    await start();
    await publish(run);
    await projected();
    const metrics = await (await fetch(`${service?.url}/metrics`)).text();
    expect(metrics).toMatch(/reins_projector_lag_events\{service="projector"\} 0\n/);
    expect(metrics).toContain(`reins_projector_messages_total{outcome="applied",service="projector"} ${run.length}`);
  });
});

test('verify names the row and the column that differ', async () => {
  await publish(run);
  await start();
  await projected();
  await db.updateTable('stage_runs').set({ runtime_id: 'codex' }).where('stage', '=', 'evaluate').execute();
  const report = await verifyProjections(bus, db);
  expect(report.ok).toBe(false);
  expect(formatReport(report)).toContain(
    'stage_runs request_id=01KAJ00000000000000000RUN1 effect_id=e7 attempt=1: different (runtime_id: "codex", not "pi")'.replace(
      '"pi"',
      '"openai_chat"',
    ),
  );
});
