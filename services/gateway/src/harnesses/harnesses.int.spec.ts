import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openBucket } from '@reins/bus';
import type { HarnessOffer } from '@reins/contracts';
import { until } from '@reins/testing';
import { TestGateway } from '../testing/test-gateway.ts';

let api: TestGateway;
beforeAll(async () => {
  api = await TestGateway.start(({ runtimeProfile }) => {
    runtimeProfile.default = 'openai_chat';
    runtimeProfile.stages = { execute: 'pi', evaluate: 'nobody' };
  });
});
afterAll(() => api.stop());

const UNAUTHORIZED = { providerId: 'openai', status: 'failed', reason: 'no key', hint: 'Set OPENAI_API_KEY.' } as const;
const OFFER: HarnessOffer = {
  runtimeId: 'openai_chat',
  hostId: 'h2',
  version: '1',
  healthy: false,
  reason: 'no key',
  slots: 3,
  capabilities: ['tools'],
  providers: [UNAUTHORIZED],
};

test('the runtimes of live hosts are listed with their health, and each stage with its runtime', async () => {
  const bucket = await openBucket<HarnessOffer>(api.bus, 'harnesses');
  await bucket.put('openai_chat.h2', OFFER);
  const list = async () => (await api.get('/harnesses')).body as unknown as { harnesses: { runtimeId: string }[] };
  await until(async () => (await list()).harnesses.some(({ runtimeId }) => runtimeId === 'openai_chat'));
  expect(await list()).toMatchObject({
    harnesses: [{ runtimeId: 'codex' }, OFFER, { runtimeId: 'pi', healthy: true, providers: [] }],
    stages: [
      { stage: 'interview', runtimeId: 'openai_chat', runtimeSource: 'default', healthy: false, reason: 'no key' },
      { stage: 'execute', runtimeId: 'pi', runtimeSource: 'stage', healthy: true },
      { stage: 'evaluate', runtimeId: 'nobody', healthy: false, reason: 'no harness host offers it' },
      { stage: 'reflect', runtimeId: 'openai_chat' },
    ],
  });
});

test('needs an API key', async () => {
  expect((await api.get('/harnesses', { authorization: '' })).status).toBe(401);
});
