import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ApiResult, addKey, TestGateway } from './testing/test-gateway.ts';

const OTHER_KEY = { authorization: 'Bearer rk_0b_ca11e2' };

let api: TestGateway;
beforeAll(async () => {
  api = await TestGateway.start((settings) => {
    // The next call is possible after 30 seconds, the next command to a request after 60.
    settings.gateway.callsPerKey = 2;
    settings.gateway.commandsPerRequest = 1;
  });
  await addKey(api.bus, '0b', 'ca11e2');
});
afterAll(() => api.stop());

/** Expects the refusal of a call, and a time until the next one that is not the constant of other refusals. */
function expectRefused(result: ApiResult, path: string, atMostSeconds: number): void {
  expect(result).toMatchObject({ status: 429, body: { code: 'quota_exceeded', path } });
  const seconds = Number(result.headers.get('retry-after'));
  expect(seconds).toBeGreaterThan(2);
  expect(seconds).toBeLessThanOrEqual(atMostSeconds);
}

test('calls and commands beyond their quotas get 429 with the time until the next one, and are not stored', async () => {
  const { requestId } = (await api.submit()).body as Record<'requestId', string>;
  const resume = (headers = {}) => api.post(`/requests/${requestId}/resume`, {}, headers);
  expect((await resume()).status).toBe(202);
  expect((await resume(OTHER_KEY)).status).toBe(202);
  const stored = (await api.commands()).length;
  expectRefused(await resume(), 'authorization', 30);
  expectRefused(await api.post('/requests', { workspace: { id: 'quickstart' }, input: 'hello' }), 'authorization', 30);
  expectRefused(await resume(OTHER_KEY), 'id', 60);
  expectRefused(await resume(OTHER_KEY), 'authorization', 30);
  expect(await api.commands()).toHaveLength(stored);
});
