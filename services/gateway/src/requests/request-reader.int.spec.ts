import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openBucket } from '@reins/bus';
import { type AnyEvent, eventSubject, type HarnessOffer, parkedKeyOf, partitionOf } from '@reins/contracts';
import { recordedRun } from '@reins/store/testing';
import { until } from '@reins/testing';
import { projectRequest } from '../testing/project-request.ts';
import { TestGateway } from '../testing/test-gateway.ts';

let api: TestGateway;
beforeAll(async () => {
  api = await TestGateway.start();
});
afterAll(() => api.stop());

describe('a request', () => {
  test('can be read as soon as it is accepted', async () => {
    const { body } = await api.submit();
    const found = await api.get(`/requests/${body.requestId}`);
    expect(found.status).toBe(200);
    expect(found.body).toMatchObject({
      requestId: body.requestId,
      status: 'accepted',
      revision: body.revision,
      stages: [],
    });
  });

  test('is the same from the log as from the read model', async () => {
    const { body } = await api.submit();
    await api.publishRun(body);
    const fromLog = await api.get(`/requests/${body.requestId}`);
    expect(fromLog.body).toMatchObject({
      status: 'completed',
      output: { text: 'done' },
      input: { input: 'hello' },
      usage: { inputTokens: 100, outputTokens: 20, costUsd: 0.5 },
      stages: [
        { stage: 'interview', runtimeId: 'openai_chat', runtimeSource: 'stage', attempt: 1, status: 'completed' },
        { stage: 'execute', runtimeId: 'pi', attempt: 1, status: 'failed', directive: 'continue' },
        {
          stage: 'execute',
          runtimeId: 'pi',
          attempt: 2,
          status: 'completed',
          directive: 'retry',
          usage: { inputTokens: 100 },
        },
        { stage: 'evaluate', runtimeId: 'openai_chat', attempt: 1, verdict: { outcome: 'pass' } },
      ],
      approvals: [{ approvalId: 'a1', status: 'approved', decidedBy: 'ann' }],
      artifacts: [{ path: 'out.txt' }],
    });
    await projectRequest(api, String(body.requestId));
    expect((await api.get(`/requests/${body.requestId}`)).body).toEqual(fromLog.body);
  });

  test('names each server that its stages ran without once', async () => {
    const { body } = await api.submit();
    await api.publishRun(body);
    expect((await api.get(`/requests/${body.requestId}`)).body).not.toHaveProperty('unavailableServers');
    const { requestId, sessionId, workspaceId } = body as Record<string, string>;
    const type = 'runtime.mcp.server.unavailable';
    const server = { serverId: 'alerts', reason: 'exited (code 3)', missingToolIds: ['alerts.list'] };
    const fact = { type, requestId, sessionId, workspaceId, agentId: 'main', ...server, required: false };
    const subject = eventSubject({ type, workspaceId: String(workspaceId), requestId: String(requestId) });
    const time = new Date().toISOString();
    await api.publishEvents(
      [1, 2].map((seq) => ({
        ...{ id: `${requestId}-u${seq}`, seq, subject, source: 'control-bus', time, version: 90 + seq },
        body: fact as unknown as AnyEvent,
      })),
    );
    expect((await api.get(`/requests/${requestId}`)).body.unavailableServers).toEqual([server]);
  });

  test('is current, also when the read model lags', async () => {
    const { body } = await api.submit();
    await api.publishRun(body, 0, 8);
    await projectRequest(api, String(body.requestId));
    await api.publishRun(body, 8);
    const until = Date.now() + 60_000;
    while ((await api.get(`/requests/${body.requestId}`)).body.status !== 'completed')
      expect(Date.now()).toBeLessThan(until);
  });

  test('that waits has the reason', async () => {
    const { body } = await api.submit();
    const question = 1 + recordedRun().findIndex((event) => event.body.type === 'runtime.request.waiting');
    await api.publishRun(body, 0, question);
    expect((await api.get(`/requests/${body.requestId}`)).body).toMatchObject({
      status: 'waiting',
      waiting: { reason: 'user', effectId: 'e5', question: { text: 'Which colour?' }, questionNumber: 1 },
    });
  });

  test('shows everything that it and its child runs wait for, from the log and from the read model', async () => {
    const { body } = await api.submit();
    const { requestId, sessionId, workspaceId } = body as Record<string, string>;
    const childId = `run_${requestId}`;
    const parent = {
      requestId,
      sessionId,
      agentId: 'main',
      effectId: 'c1',
      attempt: 1,
      depth: 1,
      rootRequestId: requestId,
    };
    const publish = async (run: string, version: number, type: string, fields: object) => {
      const event = { type, requestId: run, sessionId, workspaceId, agentId: 'main', ...fields } as unknown as AnyEvent;
      const subject = eventSubject({ type: event.type, workspaceId: String(workspaceId), requestId: run });
      const time = '2026-11-22T12:00:00.000Z';
      const head = { id: `${run}.${version}.${type}`, seq: 0, subject, source: 'control-bus', time, version };
      await api.publishEvents([{ ...head, body: event }]);
    };
    const payload = { question: 'Ship it?', failed: ['licences'] };
    const input = { city: 'Oslo' };
    const expiresAt = '2027-01-01T00:00:00.000Z';
    await publish(String(requestId), 1, 'runtime.request.started', { input });
    await publish(String(requestId), 1, 'runtime.signal.kept', { signal: 'payed' });
    await publish(String(requestId), 2, 'runtime.task.requested', { effectId: 't1', kind: 'check', taskId: 'tests' });
    await publish(String(requestId), 3, 'runtime.child.started', { effectId: 'c1', childRequestId: childId });
    await publish(childId, 1, 'runtime.request.started', { parent });
    await publish(childId, 2, 'runtime.approval.requested', {
      approvalId: 'b1',
      effectId: 'b1',
      subject: { kind: 'breakpoint', detail: { payload } },
      expiresAt,
    });
    await publish(childId, 2, 'runtime.request.waiting', { reason: 'breakpoint', effectId: 'b1', expiresAt });
    const fromLog = (await api.get(`/requests/${requestId}`)).body;
    expect(fromLog).toMatchObject({
      status: 'waiting',
      waiting: { reason: 'task', effectId: 't1', message: 'tests' },
      waits: [
        { requestId, reason: 'task', effectId: 't1', message: 'tests' },
        { requestId: childId, reason: 'breakpoint', effectId: 'b1', question: payload },
      ],
      approvals: [],
      input,
      keptSignals: [{ name: 'payed', count: 1, since: '2026-11-22T12:00:00.000Z' }],
    });
    await projectRequest(api, String(requestId));
    await projectRequest(api, childId);
    expect((await api.get(`/requests/${requestId}`)).body).toEqual(fromLog);
    const { requests } = (await api.get('/requests?status=waiting&limit=200')).body as Record<string, object[]>;
    expect(requests).toContainEqual(
      expect.objectContaining({
        requestId,
        waiting: expect.objectContaining({ reason: 'task', message: 'tests' }),
        children: [expect.objectContaining({ waiting: expect.objectContaining({ reason: 'breakpoint' }) })],
      }),
    );
  });

  test('that is paused names who paused it, and why', async () => {
    const { body } = await api.submit();
    const { requestId, sessionId, workspaceId } = body as Record<string, string>;
    const about = { requestId, sessionId, workspaceId, agentId: 'main' };
    const bodies = [
      { type: 'runtime.request.started', input: {} },
      { type: 'runtime.request.waiting', reason: 'operator', effectId: requestId, message: 'lunch' },
      {
        ...{ type: 'control.directive.emitted', schemaVersion: 1, emittedBy: 'control-bus', idempotencyKey: 'd' },
        ...{ targetType: 'execution', targetId: requestId, directive: 'wait', isTerminal: false, reason: 'lunch' },
        extra: { requested_by: 'ann (team)' },
      },
    ].map((fields) => ({ ...about, ...fields }) as unknown as AnyEvent);
    const events = bodies.map((event, at) => {
      const subject = eventSubject({
        type: event.type,
        workspaceId: String(workspaceId),
        requestId: String(requestId),
      });
      const time = '2026-11-22T12:00:00.000Z';
      return { id: `${requestId}.${at}`, seq: 0, subject, source: 'control-bus', time, version: 1 + at, body: event };
    });
    await api.publishEvents(events);
    const pause = { reason: 'operator', message: 'lunch', pausedBy: 'ann (team)' };
    expect((await api.get(`/requests/${requestId}`)).body).toMatchObject({ waiting: pause, waits: [pause] });
  });

  test('has at most 100 waits, and their number', async () => {
    const { body } = await api.submit();
    const { requestId, sessionId, workspaceId } = body as Record<'requestId' | 'sessionId' | 'workspaceId', string>;
    const head = { requestId, sessionId, workspaceId, agentId: 'main' };
    const time = '2026-11-22T12:00:00.000Z';
    const bodies = Array.from({ length: 120 }, (_, at) => ({
      ...{ type: 'runtime.task.requested', ...head },
      ...{ effectId: `t${at}`, kind: 'check', taskId: 'tests', attempt: 1 },
    }));
    const events = [{ type: 'runtime.request.started', ...head }, ...bodies].map((fields, at) => {
      const event = fields as unknown as AnyEvent;
      const subject = eventSubject({ type: event.type, workspaceId, requestId });
      const id = `${requestId}.${at}`;
      return { id, seq: 0, subject, source: 'control-bus', time, version: at + 1, body: event };
    });
    await api.publishEvents(events);
    const { waits, waitCount } = (await api.get(`/requests/${requestId}`)).body;
    expect([(waits as object[]).length, waitCount]).toEqual([100, 120]);
  });

  test('that is parked has the reason until it ends', async () => {
    const { body } = await api.submit();
    const { requestId, workspaceId } = body as Record<'requestId' | 'workspaceId', string>;
    const parkedOf = async () => (await api.get(`/requests/${requestId}`)).body.parked;
    expect(await parkedOf()).toBeUndefined();
    const reason = { code: 'bus_stream_full', message: 'EVENTS is full', since: '2026-01-01T00:00:00.000Z' };
    const key = parkedKeyOf(partitionOf(requestId, 4), { workspaceId, runId: requestId });
    await (await openBucket(api.bus, 'positions')).put(key, { requestId, workspaceId, ...reason, tries: 2 });
    expect(await parkedOf()).toEqual(reason);
    await api.publishRun(body);
    await projectRequest(api, requestId);
    expect(await parkedOf()).toBeUndefined();
  });

  test('whose stage waits for a host has its position and an estimate', async () => {
    const waitingAt = 1 + recordedRun().findIndex((event) => event.body.type === 'runtime.stage.requested');
    const submit = async (end: number) => {
      const { body } = await api.submit();
      await api.publishRun(body, 0, end);
      await projectRequest(api, String(body.requestId));
      return String(body.requestId);
    };
    const placeOf = async (id: string) =>
      ((await api.get(`/requests/${id}`)).body.stages as { queue?: object }[]).at(-1)?.queue;
    // Its stages give the mean duration.
    await submit(1_000);
    const first = await submit(waitingAt);
    const { position } = (await placeOf(first)) as { position: number };
    const second = await submit(waitingAt);
    expect(await placeOf(second)).toEqual({ position: position + 1, slots: 0 });
    const host = { runtimeId: 'openai_chat', hostId: 'h2', version: '1', healthy: true, slots: 2, capabilities: [] };
    await (await openBucket<HarnessOffer>(api.bus, 'harnesses')).put('h2.openai_chat', host);
    await until(async () => 'estimatedWaitMs' in ((await placeOf(second)) ?? {}));
    expect(await placeOf(second)).toEqual({ position: position + 1, slots: 2, estimatedWaitMs: expect.any(Number) });
    await submit(waitingAt + 1);
    expect(await placeOf(second)).toMatchObject({ position: position + 1 });
  });

  test('that does not exist is a 404', async () => {
    for (const id of ['01KAJ0000000000000ABSENT', 'a.b', '%20']) {
      const missing = await api.get(`/requests/${id}`);
      expect([missing.status, missing.body.code]).toEqual([404, 'request_not_found']);
    }
  });

  test('is listed, newest first, in pages', async () => {
    const ids: unknown[] = [];
    for (const _ of [1, 2, 3]) {
      const { body } = await api.submit({ sessionId: 'listed' });
      await api.publishRun(body, 0, 2);
      await projectRequest(api, String(body.requestId));
      ids.unshift(body.requestId);
    }
    const first = await api.get('/requests?sessionId=listed&limit=2');
    expect((first.body.requests as { requestId: string }[]).map((each) => each.requestId)).toEqual(ids.slice(0, 2));
    const second = await api.get(`/requests?sessionId=listed&limit=2&cursor=${first.body.next}`);
    expect((second.body.requests as { requestId: string }[]).map((each) => each.requestId)).toEqual(ids.slice(2));
    expect(second.body.next).toBeUndefined();
    expect((await api.get('/requests?limit=0&status=odd')).body.errors).toHaveLength(2);
  });
});

test('a request that is queued in its session is listed before those with events, page by page', async () => {
  const submit = async () => String((await api.submit({ sessionId: 'queue' })).body.requestId);
  const first = await api.submit({ sessionId: 'queue' });
  const running = String(first.body.requestId);
  await api.publishRun(first.body, 0, 5);
  await projectRequest(api, running);
  const queued = [await submit(), await submit()].reverse();
  const whole = (await api.get('/requests?sessionId=queue')).body as {
    requests: { requestId: string; status: string }[];
  };
  expect(whole.requests.map(({ requestId, status }) => [requestId, status])).toEqual([
    ...queued.map((id) => [id, 'accepted']),
    [running, 'running'],
  ]);
  const seen: string[] = [];
  for (let cursor = ''; ; ) {
    const { body } = await api.get(`/requests?sessionId=queue&limit=1${cursor && `&cursor=${cursor}`}`);
    seen.push(...(body.requests as { requestId: string }[]).map(({ requestId }) => requestId));
    if (body.next === undefined) break;
    cursor = String(body.next);
  }
  expect(seen).toEqual([...queued, running]);
  const other = (await api.get('/requests?sessionId=elsewhere')).body as { requests: object[] };
  expect(other.requests).toEqual([]);
  const waiting = (await api.get('/requests?sessionId=queue&status=running')).body as { requests: object[] };
  expect(waiting.requests).toHaveLength(1);
});

test('halted requests can be listed', async () => {
  const [halted, completed] = [await api.submit({ sessionId: 'ends' }), await api.submit({ sessionId: 'ends2' })];
  const { requestId, sessionId, workspaceId } = halted.body;
  await api.publishRun(halted.body, 0, 1);
  const type = 'runtime.request.completed' as const;
  const head = { requestId, sessionId, workspaceId, agentId: 'main' };
  const body = { type, ...head, output: null, halted: true, haltedBy: 'ann' } as unknown as AnyEvent;
  const subject = eventSubject({ type, workspaceId: String(workspaceId), requestId: String(requestId) });
  const time = '2026-11-22T12:00:01.000Z';
  await api.publishEvents([
    { id: `${requestId}.end`, seq: 0, subject, source: 'control-bus', time, version: 1_000, body },
  ]);
  await api.publishRun(completed.body);
  for (const run of [halted, completed]) await projectRequest(api, String(run.body.requestId));
  const listed = async (status: string) =>
    ((await api.get(`/requests?status=${status}&limit=200`)).body.requests as { requestId: string }[]).map(
      (one) => one.requestId,
    );
  expect(await listed('halted')).toEqual([requestId]);
  expect(await listed('completed')).toEqual(expect.arrayContaining([requestId, completed.body.requestId]));
});

describe('without Postgres', () => {
  test('requests can be submitted and read, but not listed', async () => {
    await api.postgres.stop();
    const { status, body } = await api.submit();
    expect(status).toBe(202);
    expect((await api.get(`/requests/${body.requestId}`)).body.status).toBe('accepted');
    await api.publishRun(body);
    expect((await api.get(`/requests/${body.requestId}`)).body.status).toBe('completed');
    const list = await api.get('/requests');
    expect([list.status, list.body.code, list.headers.get('retry-after')]).toEqual([503, 'service_unavailable', '2']);
    await api.postgres.restart();
    expect((await api.get('/requests')).status).toBe(200);
  });
});

describe('without NATS', () => {
  test('requests in the read model can be read; new ones are refused with Retry-After', async () => {
    const { body } = await api.submit();
    await api.publishRun(body);
    await projectRequest(api, String(body.requestId));
    await api.nats.stop();
    const found = await api.get(`/requests/${body.requestId}`);
    expect([found.status, found.body.status]).toEqual([200, 'completed']);
    const refused = await api.post('/requests', { workspace: { id: 'quickstart' }, input: 'hello' });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2']);
    expect((await fetch(`${api.service.url}/readyz`)).status).toBe(503);
    await api.nats.restart();
    const until = Date.now() + 60_000;
    while ((await api.post('/requests', { workspace: { id: 'quickstart' }, input: 'hello' })).status !== 202) {
      expect(Date.now()).toBeLessThan(until);
    }
  });
});
