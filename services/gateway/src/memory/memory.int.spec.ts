import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ServedCalls, serveCalls } from '@reins/bus';
import { type AnyEvent, eventSubject, ReinsError } from '@reins/contracts';
import { projectRequest } from '../testing/project-request.ts';
import { TestGateway } from '../testing/test-gateway.ts';

let api: TestGateway;
let served: ServedCalls;
/** The calls that the memory service would receive. */
const calls: unknown[] = [];

beforeAll(async () => {
  api = await TestGateway.start();
});
afterAll(async () => {
  await served?.stop();
  await api.stop();
});

test('without the memory service, calls are unavailable', async () => {
  const { status, body } = await api.get('/memory/namespaces');
  expect([status, body.code, body.detail]).toEqual([503, 'service_unavailable', 'the memory service does not respond']);
});

test('calls reach the service with the person who sent them; its problems are the response', async () => {
  const take = (name: string) => async (body: unknown) => {
    calls.push([name, body]);
    return { records: [] };
  };
  const refuse = async (): Promise<never> => {
    const message = 'text seems to contain a password';
    throw new ReinsError({ code: 'memory_secret_found', message, path: 'text', hint: 'Remove it.' });
  };
  const handlers = {
    recall: take('recall'),
    add: take('add'),
    list: take('list'),
    forget: take('forget'),
    show: take('show'),
    edit: refuse,
  };
  served = serveCalls(api.bus, { prefix: 'memory.call', handlers });
  await api.bus.nc.flush();
  const record = { namespace: 'user/ann', text: 'Deploys on Fridays', validUntil: '2027-01-01T00:00:00Z' };
  expect((await api.post('/memory/records', { ...record, requestedBy: 'ann' })).status).toBe(201);
  expect((await api.get('/memory/records?namespace=user/ann&query=deploy&limit=2&cursor=7_m')).status).toBe(200);
  expect((await api.post('/memory/records/m1/forget', {})).status).toBe(200);
  expect((await api.get('/memory/records/m1')).status).toBe(200);
  const recall = { namespaces: ['user/ann'], query: '', limit: 3 };
  expect((await api.post('/memory/recall', recall)).status).toBe(200);
  expect(calls).toEqual([
    ['add', { kind: 'fact', ...record, source: { person: 'ann (key 0a)' } }],
    ['list', { namespace: 'user/ann', query: 'deploy', limit: 2, before: '7_m' }],
    ['forget', { id: 'm1', source: { person: 'key 0a' } }],
    ['show', { id: 'm1' }],
    ['recall', recall],
  ]);
  const refused = await api.post('/memory/records/m1/edit', { text: 'x' });
  expect(refused).toMatchObject({
    status: 400,
    body: { code: 'memory_secret_found', path: 'text', hint: 'Remove it.' },
  });
});

test('invalid fields and ids are refused before the call; a key is needed', async () => {
  const { status, body } = await api.post('/memory/records', { namespace: 'user/ann', kind: 'idea', validFrom: 'now' });
  expect([status, (body.errors as { path: string }[]).map(({ path }) => path).sort()]).toEqual([
    400,
    ['kind', 'text', 'text', 'text', 'validFrom'],
  ]);
  expect((await api.post('/memory/recall', { namespaces: [], query: 'x' })).status).toBe(400);
  expect((await api.get('/memory/records/a.b')).body.code).toBe('memory_record_not_found');
  expect((await api.fetch('/api/v1/memory/records', { headers: { authorization: 'Bearer x' } })).status).toBe(401);
});

test('shows what a request recalled, and what it could not', async () => {
  const { body } = await api.submit();
  const requestId = String(body.requestId);
  expect((await api.get(`/requests/${requestId}/memory`)).body).toEqual({ recalled: [], failed: [] });
  const error = { code: 'effect_timed_out', message: 'the attempt did not end within 2000 ms' };
  const context = '- [m1] fact, 2026-01-31: "on Fridays"';
  const recalled = { namespace: 'user/ann', recordIds: ['m1'], context };
  const head = { requestId, sessionId: 's', agentId: 'main', workspaceId: 'quickstart' };
  const facts: readonly AnyEvent[] = [
    { type: 'runtime.memory.recall.completed', ...head, effectId: 'e1', ...recalled },
    { type: 'runtime.memory.recall.failed', ...head, effectId: 'e2', namespace: 'workspace', error },
  ];
  const time = new Date().toISOString();
  await api.publishEvents(
    facts.map((fact) => ({
      ...{ id: `${requestId}.${fact.type}`, seq: 0, subject: eventSubject(fact), source: 'control-bus', time },
      body: fact,
    })),
  );
  const seen = await api.get(`/requests/${requestId}/memory`);
  expect(seen.body).toEqual({
    recalled: [{ ...recalled, recalledAt: expect.any(String) }],
    failed: [{ namespace: 'workspace', error, failedAt: expect.any(String) }],
  });
  await projectRequest(api, requestId);
  await api.bus.jsm.streams.purge('EVENTS');
  expect((await api.get(`/requests/${requestId}/memory`)).body).toEqual(seen.body);
  expect((await api.get('/requests/none/memory')).status).toBe(404);
});
