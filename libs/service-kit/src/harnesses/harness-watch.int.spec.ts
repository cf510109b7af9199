import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Bus, connectBus, openBucket, provision, type TypedBucket } from '@reins/bus';
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
  await bucket.put('h1.codex', offer('codex', { healthy: false, reason: 'it is not installed' }));
  await until(() => watch.unavailableReason(['pi', 'codex'])?.startsWith('runtimes') === true);
  expect(watch.unavailableReason(['pi', 'codex'])).toBe('runtimes pi, codex are not healthy: it is not installed');
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

describe('hosts of a runtime', () => {
  let bucket: TypedBucket<HarnessOffer>;
  let watch: HarnessWatch;
  beforeEach(async () => {
    bucket = await openBucket<HarnessOffer>(bus, 'harnesses');
    watch = await HarnessWatch.start(bus);
  });
  afterEach(() => watch.stop());

  let puts = 0;
  /** Puts an offer, and waits until the watch has it. Each offer has another number of slots. */
  const put = async (runtimeId: string, more: Partial<HarnessOffer> = {}, host = 'h9') => {
    puts += 1;
    const slots = 100 + puts;
    const current = offer(runtimeId, { slots, slotsInUse: 1, stagesTaken: 5, ...more });
    await bucket.put(`${host}.${runtimeId}`, current);
    await until(() => watch.offers.some((known) => known.runtimeId === runtimeId && known.slots === current.slots));
  };
  const idleMs = (runtimeId: string) => watch.idleMs(runtimeId, Number.POSITIVE_INFINITY);

  test('are idle between offers with free slots', async () => {
    await put('idle');
    expect(idleMs('idle')).toBe(0);
    await put('idle');
    const confirmed = idleMs('idle');
    expect(confirmed).toBeGreaterThan(0);
    // Only an offer shows that a host is still idle.
    await put('other');
    expect(idleMs('idle')).toBe(confirmed);
    expect(watch.idleMs('idle', 0)).toBe(0);
  });

  test.each<[string, Partial<HarnessOffer>]>([
    ['have no free slot', { slots: 2, slotsInUse: 2 }],
    ['take a stage', { stagesTaken: 6 }],
    ['do not report their load', { slotsInUse: undefined } as unknown as Partial<HarnessOffer>],
    ['are not healthy', { healthy: false }],
  ])('are not idle while they %s', async (_, load) => {
    await put('loaded');
    await put('loaded');
    expect(idleMs('loaded')).toBeGreaterThan(0);
    await put('loaded', load);
    expect(idleMs('loaded')).toBe(0);
    await put('loaded', { stagesTaken: load.stagesTaken ?? 5 });
    expect(idleMs('loaded')).toBe(0);
    await bucket.delete('h9.loaded');
    await until(() => watch.offers.every(({ runtimeId }) => runtimeId !== 'loaded'));
  });

  test('are not idle while there is none', async () => {
    expect(idleMs('gone')).toBe(0);
    await put('gone');
    await put('gone');
    expect(idleMs('gone')).toBeGreaterThan(0);
    await bucket.delete('h9.gone');
    await until(() => watch.slotsOf('gone') === 0);
    expect(idleMs('gone')).toBe(0);
    await put('gone', {}, 'h10');
    expect(idleMs('gone')).toBe(0);
  });

  test('are not known to be idle while the connection is lost', async () => {
    await put('lost');
    await put('lost');
    const states: number[] = [];
    const unfollow = bus.onState(() => states.push(idleMs('lost')));
    await bus.nc.reconnect();
    await until(() => states.length === 2, { what: 'the connection is lost and made again' });
    unfollow();
    expect(states).toEqual([0, 0]);
    expect(idleMs('lost')).toBe(0);
  });
});
