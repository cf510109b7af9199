import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { OrderedPublisher } from '@reins/bus';
import { type HarnessEnvironment, openaiChatAdapter } from '@reins/harness';
import { startScriptedModel } from '@reins/scripted-model';
import { until } from '@reins/testing';
import { Redactor } from '../secrets/redactor.ts';
import { HostFixture } from '../testing/host-fixture.ts';
import { Offers } from './offers.ts';

let fixture: HostFixture;
beforeAll(async () => {
  fixture = await HostFixture.start();
});
afterAll(() => fixture.stop());

test('every change of the health and of its reason is published', async () => {
  const model = await startScriptedModel();
  const endpoint = { api: 'openai-completions', apiKey: 'k', keySetting: { path: 'providers.a.apiKey' } } as const;
  let providers: HarnessEnvironment['providers'] = {};
  const publisher = new OrderedPublisher(fixture.bus);
  const reasons: (string | undefined)[] = [];
  const subscription = fixture.bus.nc.subscribe('runtime.harness.>', {
    callback: (_, message) => void reasons.push((JSON.parse(message.string()) as { reason?: string }).reason),
  });
  const offers = await Offers.start(fixture.bus, publisher, {
    hostId: 'changing',
    usageOf: () => ({ slots: 1, slotsInUse: 0, stagesTaken: 0 }),
    sandbox: 'none',
    network: 'open',
    adapters: [openaiChatAdapter],
    environmentOf: () => ({ settings: {}, path: '', providers }),
    redactor: new Redactor([]),
    onHealth: () => {},
    probeEveryMs: 120,
  });
  await until(() => reasons.length === 1);
  providers = { a: { ...endpoint, baseUrl: 'http://127.0.0.1:1/v1' } };
  await until(() => reasons.length === 2);
  providers = { a: { ...endpoint, baseUrl: `${model.url}/s/text/v1` } };
  await until(() => reasons.length === 3);
  await offers.stop();
  await until(() => reasons.length === 4);
  expect(reasons).toEqual([
    'no model provider is configured (Configure a provider (providers.<id>).)',
    expect.stringContaining('provider a cannot be reached'),
    undefined,
    'the host is stopping',
  ]);
  subscription.unsubscribe();
  await publisher.close();
  await model.close();
});
