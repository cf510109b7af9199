import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { until } from '@reins/testing';
import { addKey, TestGateway } from '../testing/test-gateway.ts';
import { ApiKeys } from './api-keys.ts';

let api: TestGateway;
beforeAll(async () => {
  api = await TestGateway.start();
});
afterAll(() => api.stop());

describe('an API key', () => {
  test('is required for every API call, but for nothing else', async () => {
    for (const authorization of [
      '',
      'Bearer',
      'Bearer rk_0a_0000',
      'Bearer rk_0b_5ec2e7',
      'Basic rk_0a_5ec2e7',
      'Bearer nonsense',
    ]) {
      const refused = await api.get('/requests', { authorization });
      expect([refused.status, refused.body.code]).toEqual([401, 'unauthorized']);
      expect(refused.headers.get('www-authenticate')).toBe('Bearer');
      expect(refused.headers.get('content-type')).toContain('application/problem+json');
    }
    const statusOf = async (path: string): Promise<number> => (await fetch(`${api.service.url}${path}`)).status;
    for (const path of ['/healthz', '/metrics', '/api/openapi.json']) expect(await statusOf(path)).toBe(200);
    // Becomes ready when it reads the log, shortly after it listens.
    await until(async () => (await statusOf('/readyz')) === 200);
  });

  test('works as soon as it is created, until it is revoked', async () => {
    await addKey(api.bus, '0c', 'abc1');
    const headers = { authorization: 'Bearer rk_0c_abc1' };
    expect((await api.get('/requests', headers)).status).toBe(200);
    await addKey(api.bus, '0c', 'abc1', new Date().toISOString());
    await until(async () => (await api.get('/requests', headers)).status === 401);
  });

  test('that does not exist causes a limited number of reads, however often it is used', async () => {
    const keys = await ApiKeys.open(api.bus, () => 0);
    const before = api.bus.nc.stats().outMsgs;
    for (let i = 0; i < 1_000; i += 1) expect(await keys.verify(`rk_0f${i.toString(16)}_5ec2e7`)).toBeUndefined();
    expect(api.bus.nc.stats().outMsgs - before).toBe(300);
    expect(await keys.verify('rk_0a_5ec2e7')).toMatchObject({ keyId: '0a' });
    keys.close();
  });
});
