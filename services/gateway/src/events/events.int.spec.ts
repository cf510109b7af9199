import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Blobs } from '@reins/bus';
import { type AnyEvent, journalSubject, subjectTypeOf } from '@reins/contracts';
import { readLogMessage, writeBatch } from '@reins/store';
import { recordedRun } from '@reins/store/testing';
import { PARTITIONS, type ServerSent, serverSent, TestGateway } from '../testing/test-gateway.ts';
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

/** The sequence in an SSE id. */
const seqOf = (id: string | undefined): number => Number(id?.split('-')[0]);

/** A commit of a journal. Its end says whether the run has ended. */
const commitEndingIn = (type: string): string => `{"entries":[{"type":"${type}","version":1}],"epoch":1}`;

const all = (events: AsyncGenerator<ServerSent>): Promise<ServerSent[]> => take(events, Number.POSITIVE_INFINITY);

async function delta(accepted: Record<string, unknown>, text: string): Promise<void> {
  const { requestId, sessionId, workspaceId } = accepted;
  const event = { adapter: 'pi', phase: 'agent.output.delta', text };
  const about = { stage: 'execute', effectId: 'e5', attempt: 2, seq: 9, agentId: 'main' };
  const body = { type: 'runtime.adapter.event', requestId, sessionId, workspaceId, event, ...about };
  await api.bus.js.publish(`agent.output.delta.${workspaceId}.${requestId}`, JSON.stringify(body));
}

describe('an event stream', () => {
  test('sends past events, then new events, and ends with the run', async () => {
    const { body } = await api.submit();
    await api.publishRun(body, 0, 10);
    const events = serverSent(await stream(body.requestId));
    const before = await take(events, 10);
    await api.publishRun(body, 10);
    const received = [...before, ...(await all(events))];
    expect(received.map(({ event }) => event)).toEqual(types);
    expect(received.map(({ data }) => data.type)).toEqual(run.map(({ body: { type } }) => type));
    const ids = received.map(({ id }) => seqOf(id));
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
  });

  test('of a narrated run ends with the narration of its end', async () => {
    const { body } = await api.submit();
    const { requestId, sessionId, workspaceId } = body as Record<string, string>;
    const narration = (id: string, source: string) => {
      const type = 'runtime.progress.narration';
      const about = { requestId, sessionId, workspaceId, agentId: 'main' };
      const text = { message: id, provider: 'template', sourceEventTypes: [source], sourceEventIds: ['e'] };
      const event = { type, ...about, ...text } as unknown as AnyEvent;
      const subject = `${type}.${workspaceId}.${requestId}`;
      return {
        id: `${requestId}.${id}`,
        seq: 0,
        subject,
        source: 'narrator',
        time: new Date().toISOString(),
        body: event,
      };
    };
    const terminal = run.find(({ body: { type } }) => type.startsWith('runtime.request.completed'))?.body.type;
    const events = all(serverSent(await stream(requestId)));
    await api.publishEvents([narration('n1', 'runtime.plan.compiled')]);
    await api.publishRun(body);
    await api.publishEvents([narration('n2', 'runtime.stage.completed'), narration('n3', String(terminal))]);
    const narrated = (await events).flatMap(({ data }) => (data.message === undefined ? [] : [data.message]));
    expect(narrated).toEqual(['n1', 'n2', 'n3']);
  });

  test('resumes after the last received event when it was interrupted', async () => {
    const { body } = await api.submit();
    await api.publishRun(body, 0, 20);
    const events = serverSent(await stream(body.requestId));
    const first = await take(events, 7);
    await events.return(undefined);
    await api.publishRun(body, 20);
    const rest = await all(serverSent(await stream(body.requestId, { 'last-event-id': String(first.at(-1)?.id) })));
    expect([...first, ...rest].map(({ event }) => event)).toEqual(types);
  });

  test('has no gaps or duplicates when events arrive while the log is read', async () => {
    const { body } = await api.submit();
    const streams = Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        await new Promise((resolve) => setImmediate(resolve));
        if (index % 2) await api.get('/requests?limit=1');
        return all(serverSent(await stream(body.requestId)));
      }),
    );
    await api.publishRun(body);
    for (const received of await streams) expect(received.map(({ event }) => event)).toEqual(types);
  });

  test('sends deltas without an SSE id, unless the query excludes them', async () => {
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

  test('has stream views with the event names of stable-harness', async () => {
    const { body } = await api.submit();
    await api.publishRun(body);
    const received = await all(serverSent(await stream(body.requestId, {}, '?include=views')));
    const views = received.filter(({ event }) => event === 'stable_harness.tool.progress');
    expect(views.map(({ data }) => data)).toMatchObject([
      { event: { phase: 'agent.tool.start', toolId: 'read' } },
      { event: { phase: 'agent.tool.result', output: 'text' } },
    ]);
  });

  test('loads bodies from the blob store, for past and new events', async () => {
    const { body } = await api.submit();
    await api.publishRun(body, 0, 20, 10);
    const events = serverSent(await stream(body.requestId));
    const before = await take(events, 20);
    await api.publishRun(body, 20, undefined, 10);
    const received = [...before, ...(await all(events))];
    expect(received.map(({ event }) => event)).toEqual(types);
    expect(received.every(({ data }) => typeof data.type === 'string')).toBe(true);
  });

  test('returns 204 after the last event of an ended run', async () => {
    const { body } = await api.submit();
    await api.publishRun(body);
    const last = (await all(serverSent(await stream(body.requestId)))).at(-1);
    expect((await stream(body.requestId, { 'last-event-id': String(last?.id) })).status).toBe(204);
  });

  test('accepts the event ids of earlier versions', async () => {
    const { body } = await api.submit();
    await api.publishRun(body);
    const received = await all(serverSent(await stream(body.requestId)));
    const seq = seqOf(received[6]?.id);
    const rest = await all(serverSent(await stream(body.requestId, { 'last-event-id': String(seq) })));
    expect(rest.map(({ id }) => id)).toEqual(received.slice(7).map(({ id }) => id));
  });

  test('refuses to continue after an event that the log does not have', async () => {
    const { body } = await api.submit();
    await api.publishRun(body, 0, 10);
    const events = serverSent(await stream(body.requestId));
    const id = String((await take(events, 10)).at(-1)?.id);
    await events.return(undefined);
    const { state } = await api.bus.jsm.streams.info('EVENTS');
    const [seq, log, event] = id.split('-');
    for (const [other, query] of [
      [String(state.last_seq + 1), ''],
      ['', `?after=${state.last_seq + 1}`],
      [`${seq}-00000000-${event}`, ''],
      [`${seq}-${log}-00000000`, ''],
    ] as const) {
      const response = await stream(body.requestId, { 'last-event-id': other }, query);
      expect([response.status, await response.json()]).toEqual([410, expect.objectContaining({ code: 'events_gone' })]);
    }
    const resumed = serverSent(await stream(body.requestId, { 'last-event-id': id }));
    await api.publishRun(body, 10);
    expect(await all(resumed)).toHaveLength(types.length - 10);
  });

  test('of an ended request whose events have left the log is refused, and so are commands to it', async () => {
    const { body } = await api.submit();
    await api.publishRun(body);
    const run = { workspaceId: String(body.workspaceId), runId: String(body.requestId) };
    const subject = journalSubject(run, PARTITIONS);
    await api.bus.jsm.streams.purge('EVENTS');
    const open = () => stream(body.requestId);
    await api.bus.js.publish(subject, commitEndingIn('SIGNAL_RECEIVED'));
    const live = await open();
    expect(live.status).toBe(200);
    await live.body?.cancel();
    await api.bus.js.publish(subject, commitEndingIn('RUN_ARCHIVED'));
    const response = await open();
    expect([response.status, await response.json()]).toEqual([410, expect.objectContaining({ code: 'events_gone' })]);
    const cancel = await api.post(`/requests/${body.requestId}/cancel`, {});
    expect([cancel.status, cancel.body.code]).toEqual([409, 'request_ended']);
  });

  test('refuses an invalid event id and an unknown request', async () => {
    const { body } = await api.submit();
    expect((await stream(body.requestId, { 'last-event-id': 'x' })).status).toBe(400);
    expect((await stream('unknown')).status).toBe(404);
  });

  test('loses no events when NATS crashes; the client may have to reconnect', async () => {
    const { body } = await api.submit();
    await api.publishRun(body, 0, 10);
    const events = serverSent(await stream(body.requestId));
    const received = await take(events, 10);
    await api.crashNats();
    await api.publishRun(body, 10);
    received.push(...(await all(events)));
    while (received.at(-1)?.data.directive !== 'converge') {
      const again = await stream(body.requestId, { 'last-event-id': String(received.at(-1)?.id) });
      expect(again.status).toBe(200);
      received.push(...(await all(serverSent(again))));
    }
    expect(received.map(({ event }) => event)).toEqual(types);
  });

  test('ends when the gateway stops, and the gateway does not wait for it', async () => {
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
  test('continue after their cursor', async () => {
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

  test('come from the read model only when the log was trimmed', async () => {
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

  test('of a run without events are empty', async () => {
    const { body } = await api.submit();
    expect((await api.get(`/requests/${body.requestId}/events`)).body).toMatchObject({ events: [], more: false });
  });
});
