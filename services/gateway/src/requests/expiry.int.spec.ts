import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openBucket } from '@reins/bus';
import type { RequestRecord, SessionRecord } from '@reins/contracts';
import { TestGateway } from '../testing/test-gateway.ts';

const EXPIRED_AT = '2026-01-01T00:00:00.000Z';

let api: TestGateway;
beforeAll(async () => {
  api = await TestGateway.start();
  const requests = await openBucket<RequestRecord>(api.bus, 'requests');
  const head = { workspaceId: 'quickstart', sessionId: 's', agentId: 'main', bodyHash: '', acceptedAt: EXPIRED_AT };
  await requests.put('run.gone', { ...head, requestId: 'gone', expiredAt: EXPIRED_AT });
  const sessions = await openBucket<SessionRecord>(api.bus, 'sessions');
  await sessions.put('quickstart.over', { state: {}, queued: [], expiredAt: EXPIRED_AT });
  await sessions.put('quickstart.lives', { state: {}, queued: [] });
});
afterAll(() => api.stop());

const expired = { status: 410, body: { code: 'run_expired', detail: expect.stringContaining('gone') } };

test('an expired request cannot be read, retried or commanded', async () => {
  expect(await api.get('/requests/gone')).toMatchObject(expired);
  expect(await api.post('/requests/gone/retry', {})).toMatchObject(expired);
  expect(await api.post('/requests/gone/cancel', {})).toMatchObject(expired);
});

test('a new request cannot retry or fork an expired one', async () => {
  const retry = await api.submit({ retryOf: 'gone' });
  expect(retry).toMatchObject({ status: 410, body: { code: 'run_expired', path: 'retryOf' } });
  const fork = await api.submit({ fork: { requestId: 'gone', at: 1 } });
  expect(fork).toMatchObject({ status: 410, body: { code: 'run_expired', path: 'fork.requestId' } });
});

test('a new request cannot continue an expired session', async () => {
  const continued = await api.submit({ sessionId: 'over' });
  expect(continued).toMatchObject({ status: 410, body: { code: 'session_expired', path: 'sessionId' } });
  expect((await api.submit({ sessionId: 'lives' })).status).toBe(202);
  expect((await api.submit({ sessionId: 'new' })).status).toBe(202);
});

test('the list of requests leaves out expired ones that the read model does not have', async () => {
  const { body } = await api.get('/requests');
  expect(JSON.stringify(body)).not.toContain('"gone"');
});
