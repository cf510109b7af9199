import { cp, rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { tempDir, until } from '@reins/testing';
import { type ApiResult, TestGateway } from './testing/test-gateway.ts';

let api: TestGateway;
beforeAll(async () => {
  api = await TestGateway.start();
});
afterAll(() => api.stop());

/** Stops NATS, changes its data, and starts it again. */
async function whileStopped(change: () => Promise<void>): Promise<void> {
  await api.nats.stop();
  await change();
  await api.nats.restart();
  await until(async () => api.bus.state === 'connected');
}

test('after NATS was set back, a lost request does not exist, and the others are open again', async () => {
  const copy = await tempDir('set-back');
  const early = await api.submit();
  await api.publishRun(early.body, 0, 3);
  await whileStopped(() => cp(api.nats.dir, copy, { recursive: true }));
  const lost = await until(async () => {
    const accepted = await api.submit();
    return accepted.status === 202 && accepted;
  });
  const of = (request: ApiResult) => `/requests/${request.body.requestId}`;
  const signal = async (request: ApiResult) => (await api.post(`${of(request)}/signals`, { name: 'go' })).status;
  await api.publishRun(lost.body, 0, 3);
  await api.publishRun(early.body, 3);
  await until(async () => (await api.get(of(early))).body.status === 'completed');
  expect([await signal(lost), await signal(early)]).toEqual([202, 409]);

  await whileStopped(async () => {
    await rm(api.nats.dir, { recursive: true });
    await cp(copy, api.nats.dir, { recursive: true });
  });
  await until(async () => (await signal(lost)) === 404);
  expect((await api.get(of(lost))).status).toBe(404);
  expect((await api.get(of(early))).body.status).toBe('running');
  expect(await signal(early)).toBe(202);
});
