import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Blobs } from '@reins/bus';
import { subjectTypeOf } from '@reins/contracts';
import { readLogMessage, writeBatch } from '@reins/store';
import { recordedRun } from '@reins/store/testing';
import { type ServerSent, serverSent, TestGateway } from '../testing/test-gateway.ts';
import { RunLog } from './run-log.ts';

let api: TestGateway;
beforeAll(async () => {
  api = await TestGateway.start();
});
afterAll(() => api.stop());

const run = recordedRun();
const types: readonly string[] = run.map(({ body }) => subjectTypeOf(body));

async function stream(requestId: unknown, headers: Record<string, string> = {}, query = ''): Promise<Response> {
  return api.fetch(`/api/v1/requests/${requestId}/events${query}`, {
    headers: { accept: 'text/event-stream', ...headers },
  });
}

async function take(events: AsyncGenerator<ServerSent>, count: number): Promise<ServerSent[]> {
  const taken: ServerSent[] = [];
  while (taken.length < count) {
    const next = await events.next();
    if (next.done) break;
    taken.push(next.value);
  }
  return taken;
}

const all = (events: AsyncGenerator<ServerSent>): Promise<ServerSent[]> => take(events, Number.POSITIVE_INFINITY);

async function delta(accepted: Record<string, unknown>, text: string): Promise<void> {
  const { requestId, sessionId, workspaceId } = accepted;
  const event = { adapter: 'pi', phase: 'agent.output.delta', text };
  const about = { stage: 'execute', effectId: 'e5', attempt: 2, seq: 9, agentId: 'main' };
  const body = { type: 'runtime.adapter.event', requestId, sessionId, workspaceId, event, ...about };
  await api.bus.js.publish(`agent.output.delta.${workspaceId}.${requestId}`, JSON.stringify(body));
}

describe('a stream of events', () => {
  test('tells what was told, then what is told, and ends with the run', async () => {
    const { body } = await api.submit();
    await api.publishRun(body, 0, 10);
    const events = serverSent(await stream(body.requestId));
    const before = await take(events, 10);
    await api.publishRun(body, 10);
    const told = [...before, ...(await all(events))];
    expect(told.map(({ event }) => event)).toEqual(types);
    expect(told.map(({ data }) => data.type)).toEqual(run.map(({ body: { type } }) => type));
    const ids = told.map(({ id }) => Number(id));
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
  });

  test('that breaks goes on behind the last event that came', async () => {
    const { body } = await api.submit();
    await api.publishRun(body, 0, 20);
    const events = serverSent(await stream(body.requestId));
    const first = await take(events, 7);
    await events.return(undefined);
    await api.publishRun(body, 20);
    const rest = await all(serverSent(await stream(body.requestId, { 'last-event-id': String(first.at(-1)?.id) })));
    expect([...first, ...rest].map(({ event }) => event)).toEqual(types);
  });

  test('neither repeats nor leaves out an event that is told while the log is read', async () => {
    const { body } = await api.submit();
    const streams = Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        await new Promise((resolve) => setImmediate(resolve));
        if (index % 2) await api.get('/requests?limit=1');
        return all(serverSent(await stream(body.requestId)));
      }),
    );
    await api.publishRun(body);
    for (const told of await streams) expect(told.map(({ event }) => event)).toEqual(types);
  });

  test('carries deltas without an id, unless they are not wanted', async () => {
    const { body } = await api.submit();
    await api.publishRun(body, 0, 20);
    const wanted = serverSent(await stream(body.requestId));
    const unwanted = serverSent(await stream(body.requestId, {}, '?include='));
    await Promise.all([take(wanted, 20), take(unwanted, 20)]);
    await delta(body, 'Hel');
    const [first] = await take(wanted, 1);
    expect(first).toMatchObject({ id: undefined, event: 'agent.output.delta', data: { event: { text: 'Hel' } } });
    await api.publishRun(body, 20);
    expect((await all(unwanted)).map(({ event }) => event)).toEqual(types.slice(20));
  });

  test('carries the stream views under the names that clients know', async () => {
    const { body } = await api.submit();
    await api.publishRun(body);
    const told = await all(serverSent(await stream(body.requestId, {}, '?include=views')));
    const views = told.filter(({ event }) => event === 'stable_harness.tool.progress');
    expect(views.map(({ data }) => data)).toMatchObject([
      { event: { phase: 'agent.tool.start', toolId: 'read' } },
      { event: { phase: 'agent.tool.result', output: 'text' } },
    ]);
  });

  test('has bodies that lie in the blob store, from the log and live', async () => {
    const { body } = await api.submit();
    await api.publishRun(body, 0, 20, 10);
    const events = serverSent(await stream(body.requestId));
    const before = await take(events, 20);
    await api.publishRun(body, 20, undefined, 10);
    const told = [...before, ...(await all(events))];
    expect(told.map(({ event }) => event)).toEqual(types);
    expect(told.every(({ data }) => typeof data.type === 'string')).toBe(true);
  });

  test('of a run that has ended and was told is empty for good', async () => {
    const { body } = await api.submit();
    await api.publishRun(body);
    const last = (await all(serverSent(await stream(body.requestId)))).at(-1);
    expect((await stream(body.requestId, { 'last-event-id': String(last?.id) })).status).toBe(204);
  });

  test('refuses what is no event id, and a request of nobody', async () => {
    const { body } = await api.submit();
    expect((await stream(body.requestId, { 'last-event-id': 'x' })).status).toBe(400);
    expect((await stream('nobody')).status).toBe(404);
  });

  test('outlives a loss of NATS, or is taken up again behind its last event', async () => {
    const { body } = await api.submit();
    await api.publishRun(body, 0, 10);
    const events = serverSent(await stream(body.requestId));
    const told = await take(events, 10);
    await api.crashNats();
    await api.publishRun(body, 10);
    told.push(...(await all(events)));
    while (told.at(-1)?.data.directive !== 'converge') {
      const again = await stream(body.requestId, { 'last-event-id': String(told.at(-1)?.id) });
      expect(again.status).toBe(200);
      told.push(...(await all(serverSent(again))));
    }
    expect(told.map(({ event }) => event)).toEqual(types);
  });

  test('ends when the gateway goes, and the gateway does not wait for it', async () => {
    const other = await TestGateway.start();
    const { body } = await other.submit();
    const accept = { accept: 'text/event-stream' };
    const events = serverSent(await other.fetch(`/api/v1/requests/${body.requestId}/events`, { headers: accept }));
    const ended = all(events).catch(() => []);
    await other.stop();
    expect(await ended).toEqual([]);
  });
});

describe('pages of events', () => {
  test('go on behind their cursor', async () => {
    const { body } = await api.submit();
    await api.publishRun(body);
    const seen: string[] = [];
    let page = await api.get(`/requests/${body.requestId}/events?limit=15`);
    for (let pages = 1; ; pages++) {
      const events = page.body.events as { type: string; version: number }[];
      seen.push(...events.map(({ type }) => type));
      expect(events.every(({ version }) => version > 0)).toBe(true);
      if (!page.body.more) break;
      expect(pages).toBeLessThan(10);
      page = await api.get(`/requests/${body.requestId}/events?limit=15&after=${page.body.next}`);
    }
    expect(seen).toEqual(types);
  });

  test('come from the read model where the log no longer has them, and only there', async () => {
    const { body } = await api.submit();
    await api.publishRun(body);
    const run = { requestId: String(body.requestId), workspaceId: 'quickstart' };
    const log = new RunLog(api.bus, await Blobs.open(api.bus));
    const { items } = await log.page(run, 0, 100);
    const seen = items.map((message) => readLogMessage(message));
    await writeBatch(api.db, seen, { stream: 'EVENTS', generation: 1, seq: items.at(-1)?.seq ?? 0 });
    const whole = await api.get(`/requests/${run.requestId}/events`);
    await api.bus.jsm.streams.purge('EVENTS', { seq: Number(items[25]?.seq) });
    const old = await api.get(`/requests/${run.requestId}/events`);
    expect(old.body.more).toBe(true);
    const rest = await api.get(`/requests/${run.requestId}/events?after=${old.body.next}`);
    expect([...(old.body.events as object[]), ...(rest.body.events as object[])]).toEqual(whole.body.events);
    await api.postgres.stop();
    expect((await api.get(`/requests/${run.requestId}/events`)).body.code).toBe('service_unavailable');
    expect((await api.get(`/requests/${run.requestId}/events?after=${items[24]?.seq}`)).body.events).toHaveLength(15);
    await api.postgres.restart();
  });

  test('of a run that has not told anything are empty', async () => {
    const { body } = await api.submit();
    expect((await api.get(`/requests/${body.requestId}/events`)).body).toMatchObject({ events: [], more: false });
  });
});
