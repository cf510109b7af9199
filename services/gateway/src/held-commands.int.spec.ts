import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { heldSubject } from '@reins/contracts';
import { TestGateway } from './testing/test-gateway.ts';

const LIMIT = 10;
const CALLS = 10;

let api: TestGateway;
beforeAll(async () => {
  api = await TestGateway.start((settings) => {
    settings.gateway.maxHeldCommands = LIMIT;
    settings.gateway.callsPerKey = CALLS;
  });
});
afterAll(() => api.stop());

test('signals that wait leave room for decisions, and nothing prevents a cancellation', async () => {
  const { requestId, workspaceId } = (await api.submit()).body as Record<'requestId' | 'workspaceId', string>;
  const hold = () => api.bus.nc.request(heldSubject({ workspaceId, runId: requestId }, 4), '{}');
  const statusOf = async (path: string, body: object): Promise<number> =>
    (await api.post(`/requests/${requestId}/${path}`, body)).status;
  for (let held = 0; held < LIMIT - 1; held += 1) await hold();

  const refused = await api.post(`/requests/${requestId}/signals`, { name: 'go' });
  expect(refused).toMatchObject({ status: 429, body: { code: 'quota_exceeded' } });
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
  expect(await statusOf('resume', {})).toBe(202);

  await hold();
  expect(await statusOf('resume', {})).toBe(429);
  expect(await statusOf('cancel', {})).toBe(202);
});

test('a key that has sent as many calls as it may can still cancel', async () => {
  const { requestId } = (await api.submit()).body as Record<'requestId', string>;
  await Promise.all(Array.from({ length: CALLS }, () => api.post(`/requests/${requestId}/resume`, {})));
  expect((await api.post(`/requests/${requestId}/cancel`, {})).status).toBe(202);
});
