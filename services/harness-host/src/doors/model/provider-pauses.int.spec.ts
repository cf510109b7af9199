import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Bus, connectBus, PROVIDER_PAUSES } from '@reins/bus';
import { startNats, type TestNats, until } from '@reins/testing';
import { ModelDoor } from './model-door.ts';
import { type ProviderPause, ProviderPauses } from './provider-pauses.ts';

let nats: TestNats;
let bus: Bus;
beforeAll(async () => {
  nats = await startNats();
  bus = await connectBus({ servers: nats.url, name: 'test' });
});
afterAll(async () => {
  await bus.close();
  await nats.stop();
});

test('hosts learn the pauses of others, each at most ten minutes long, and ignore invalid messages', async () => {
  const seen: ProviderPause[] = [];
  const own: ProviderPause[] = [];
  const first = ProviderPauses.open(bus, 'a', (pause) => own.push(pause));
  const second = ProviderPauses.open(bus, 'b', (pause) => seen.push(pause));
  for (const text of [
    'no JSON',
    '[]',
    '{"hostId":"x","provider":"p","retryAfterMs":-1}',
    '{"hostId":"x","provider":7}',
  ])
    bus.nc.publish(PROVIDER_PAUSES, text);
  first.publish({ provider: 'p', retryAfterMs: 5000 });
  first.publish({ provider: 'p', retryAfterMs: 1e12 });
  await until(() => seen.length === 2);
  expect(seen).toEqual([
    { provider: 'p', retryAfterMs: 5000 },
    { provider: 'p', retryAfterMs: 600_000 },
  ]);
  expect(own).toEqual([]);
  first.close();
  second.close();
});

test('a provider that refuses a call of one host gets no calls of the others for this time', async () => {
  let calls = 0;
  const provider = createServer((_, response) => {
    calls += 1;
    response.writeHead(429, { 'retry-after': '120' }).end('{}');
  }).listen(0, '127.0.0.1');
  await once(provider, 'listening');
  const { port } = provider.address() as AddressInfo;
  const paused: string[] = [];
  const hosts = await Promise.all(
    ['a', 'b'].map(async (id) => {
      const door = await ModelDoor.start(undefined, (pause) => pauses.publish(pause));
      const pauses = ProviderPauses.open(bus, id, (pause) => {
        door.pause(pause);
        paused.push(id);
      });
      const endpoint = { api: 'openai-completions', baseUrl: `http://127.0.0.1:${port}/v1`, apiKey: 'sk-1' } as const;
      const access = door.open({ endpoint, named: { provider: 'p', model: 'm' } });
      const ask = () =>
        fetch(`${access.endpoint.baseUrl}/chat/completions`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${access.endpoint.apiKey}` },
          body: '{"model":"m"}',
        });
      return { door, pauses, ask };
    }),
  );
  const [first, second] = hosts;
  expect((await first?.ask())?.status).toBe(429);
  await until(() => paused.includes('b'));
  const refused = await second?.ask();
  expect([refused?.status, Number(refused?.headers.get('retry-after')) > 60]).toEqual([429, true]);
  expect([calls, paused]).toEqual([1, ['b']]);
  for (const { pauses } of hosts) pauses.close();
  await Promise.all(hosts.map(({ door }) => door.close()));
  provider.closeAllConnections();
  provider.close();
});
