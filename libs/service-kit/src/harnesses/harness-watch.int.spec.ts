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

test('a runtime is available once a healthy host has offered it, even after that host disappears', async () => {
  const bucket = await openBucket<HarnessOffer>(bus, 'harnesses');
  await bucket.put('h1.echo', offer('echo'));
  await bucket.put('h1.pi', offer('pi', { healthy: false, reason: 'it is not installed' }));
  const watch = await HarnessWatch.start(bus);
  expect(watch.unavailableReason(['echo'])).toBeUndefined();
  expect(watch.capabilitiesOf('echo')).toEqual(['images']);
  expect(watch.healthyRuntimes).toEqual(['echo']);
  expect(watch.unavailableReason(['echo', 'pi', 'codex'])).toBe(
    'runtime pi is not healthy: it is not installed; no harness host offers runtime codex',
  );
  await bucket.delete('h1.echo');
  await bucket.put('h1.pi', offer('pi'));
  await until(() => watch.unavailableReason(['pi']) === undefined && watch.capabilitiesOf('echo').length === 0);
  expect(watch.unavailableReason(['echo', 'pi'])).toBeUndefined();
  watch.stop();
});

test('ignores stale offers of a dead host that the server did not remove, and keeps renewed ones', async () => {
  const bucket = await openBucket<HarnessOffer>(bus, 'harnesses');
  await bucket.put('stale.opencode', offer('opencode'));
  const renew = (slots: number) => bucket.put('h2.gemini', offer('gemini', { slots }));
  await renew(1);
  const watch = await HarnessWatch.start(bus, 2_000);
  await renew(2);
  expect(watch.unavailableReason(['opencode', 'gemini'])).toBeUndefined();
  await until(async () => !(await bucket.get('stale.opencode')), { what: 'the stale offer is removed' });
  await until(() => watch.capabilitiesOf('opencode').length === 0);
  // The host of the other runtime was alive and is expected to return.
  expect(watch.unavailableReason(['opencode', 'gemini'])).toBe('no harness host offers runtime opencode');
  watch.stop();
});

test('what hosts did before the watch was started, or connected again, is unknown', async () => {
  const watch = await HarnessWatch.start(bus);
  expect(watch.watchedForMs).toBeGreaterThan(0);
  const states: number[] = [];
  const unfollow = bus.onState(() => states.push(watch.watchedForMs));
  const before = performance.now();
  await bus.nc.reconnect();
  await until(() => states.length === 2, { what: 'the connection is lost and made again' });
  unfollow();
  expect(states[0]).toBe(0);
  expect(watch.watchedForMs).toBeLessThan(performance.now() - before);
  watch.stop();
});

test('a runtime is busy while a healthy host has no free slot, or takes stages', async () => {
  const bucket = await openBucket<HarnessOffer>(bus, 'harnesses');
  const watch = await HarnessWatch.start(bus);
  const put = async (runtimeId: string, more: Partial<HarnessOffer>) => {
    await bucket.put(`h9.${runtimeId}`, offer(runtimeId, more));
    // Each offer has another number of slots, so that its arrival is seen.
    await until(() => watch.slotsOf(runtimeId) === (more.healthy === false ? 0 : more.slots));
  };
  await put('idle', { slots: 2, slotsInUse: 1, stagesTaken: 5 });
  await put('idle', { slots: 3, slotsInUse: 2, stagesTaken: 5 });
  await put('full', { slots: 2, slotsInUse: 2, stagesTaken: 5 });
  await put('quick', { slots: 2, slotsInUse: 0, stagesTaken: 5 });
  expect(watch.busyAgoMs('quick')).toBeUndefined();
  await put('quick', { slots: 3, slotsInUse: 0, stagesTaken: 6 });
  await put('earlier-version', { slots: 2 });
  await put('unhealthy', { slots: 2, slotsInUse: 2, stagesTaken: 5 });
  const ago = ['idle', 'full', 'quick', 'earlier-version', 'unknown'].map((id) => watch.busyAgoMs(id));
  expect(ago).toEqual([undefined, expect.any(Number), expect.any(Number), expect.any(Number), undefined]);
  const before = performance.now() - (watch.busyAgoMs('unhealthy') ?? Number.NaN);
  await put('unhealthy', { slots: 3, slotsInUse: 3, stagesTaken: 6, healthy: false });
  expect(performance.now() - (watch.busyAgoMs('unhealthy') ?? Number.NaN)).toBeCloseTo(before);
  watch.stop();
});
