import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Bus, connectBus, openBucket, provision } from '@reins/bus';
import type { HarnessOffer } from '@reins/contracts';
import { startNats, type TestNats, until } from '@reins/testing';
import { HarnessWatch } from './harness-watch.ts';

let nats: TestNats;
let bus: Bus;

beforeAll(async () => {
  nats = await startNats();
  bus = await connectBus({ servers: nats.url, name: 'test' });
  await provision(bus, { managed: 'self', partitions: 1, replicas: 1, runtimeIds: [] });
});

afterAll(async () => {
  await bus.close();
  await nats.stop();
});

const offer = (runtimeId: string, more: Partial<HarnessOffer> = {}): HarnessOffer => ({
  runtimeId,
  hostId: 'h1',
  version: '1',
  healthy: true,
  slots: 1,
  capabilities: ['images'],
  ...more,
});

test('a runtime can be counted on from when a healthy host offers it, also when that host goes away', async () => {
  const bucket = await openBucket<HarnessOffer>(bus, 'harnesses');
  await bucket.put('h1.echo', offer('echo'));
  await bucket.put('h1.pi', offer('pi', { healthy: false, reason: 'it is not installed' }));
  const watch = await HarnessWatch.start(bus);
  expect(watch.whyNot(['echo'])).toBeUndefined();
  expect(watch.capabilitiesOf('echo')).toEqual(['images']);
  expect(watch.whyNot(['echo', 'pi', 'codex'])).toBe(
    'runtime pi is not healthy: it is not installed; no harness host offers runtime codex',
  );
  await bucket.delete('h1.echo');
  await bucket.put('h1.pi', offer('pi'));
  await until(() => watch.whyNot(['pi']) === undefined && watch.capabilitiesOf('echo').length === 0);
  expect(watch.whyNot(['echo', 'pi'])).toBeUndefined();
  watch.stop();
});
