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
  expect(watch.unavailableReason(['echo'])).toBeUndefined();
  expect(watch.capabilitiesOf('echo')).toEqual(['images']);
  expect(watch.unavailableReason(['echo', 'pi', 'codex'])).toBe(
    'runtime pi is not healthy: it is not installed; no harness host offers runtime codex',
  );
  await bucket.delete('h1.echo');
  await bucket.put('h1.pi', offer('pi'));
  await until(() => watch.unavailableReason(['pi']) === undefined && watch.capabilitiesOf('echo').length === 0);
  expect(watch.unavailableReason(['echo', 'pi'])).toBeUndefined();
  watch.stop();
});

test('a host that died is not counted on, though the server forgot to remove its offers; one that renews them is', async () => {
  const bucket = await openBucket<HarnessOffer>(bus, 'harnesses');
  await bucket.put('ghost.opencode', offer('opencode'));
  const lives = (slots: number) => bucket.put('h2.gemini', offer('gemini', { slots }));
  await lives(1);
  const watch = await HarnessWatch.start(bus, 2_000);
  await lives(2);
  expect(watch.unavailableReason(['opencode', 'gemini'])).toBeUndefined();
  await until(async () => !(await bucket.get('ghost.opencode')), { what: 'the offer of nobody is gone' });
  await until(() => watch.capabilitiesOf('opencode').length === 0);
  // Its host was seen alive, and will be back.
  expect(watch.unavailableReason(['opencode', 'gemini'])).toBe('no harness host offers runtime opencode');
  watch.stop();
});
