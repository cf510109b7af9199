import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { type Bus, connectBus, inboxDurable, openBucket, PartitionLeases, provision } from '@reins/bus';
import { HarnessWatch, Health, type Logger, METRICS, NO_TELEMETRY, openTrees, Settings } from '@reins/service-kit';
import { readRunningProfile } from '@reins/service-kit/installation';
import { startNats, type TestNats, until } from '@reins/testing';
import type { TreeStore } from '@reins/workspace-tree';
import { Registry } from 'prom-client';
import { ControlBusService } from './control-bus.service.ts';

let nats: TestNats;
let bus: Bus;
let harnesses: HarnessWatch;
let trees: TreeStore;

beforeAll(async () => {
  nats = await startNats();
  bus = await connectBus({ servers: nats.url, name: 'test' });
  await provision(bus, { managed: 'self', partitions: 1, replicas: 1, runtimeIds: [] });
  harnesses = await HarnessWatch.start(bus);
  trees = await openTrees(bus);
});

afterAll(async () => {
  harnesses.stop();
  await bus.close();
  await nats.stop();
});

const serviceWith = (log: Logger, settings: Settings, metrics: Registry): ControlBusService =>
  new ControlBusService(bus, log, NO_TELEMETRY, settings, new Health(), metrics, harnesses, trees);

test('a partition that was lost and won again is not dropped by a check of the previous lease', async () => {
  const startedEpochs: number[] = [];
  const debug = ({ epoch }: { readonly epoch?: number }, text: string): void => {
    if (epoch !== undefined && text === 'partition started') startedEpochs.push(epoch);
  };
  const log = { debug, info() {}, warn() {}, error() {} } as unknown as Logger;
  const settings = new Settings();
  settings.nats.partitions = 1;
  const metrics = new Registry();
  const service = serviceWith(log, settings, metrics);
  const held = async () => (await metrics.getSingleMetric(METRICS.partitions.name)?.get())?.values[0]?.value;
  try {
    await service.onApplicationBootstrap();
    const epoch = await until(async () => startedEpochs[0]);
    expect(await held()).toBe(1);
    const leases = await openBucket(bus, 'leases');
    const verify = jest.spyOn(PartitionLeases.prototype, 'verify').mockImplementationOnce(async () => {
      // The response arrives after the partition was lost and won again.
      await leases.delete('p.0');
      await until(async () => startedEpochs.length > 1);
      return false;
    });
    await bus.jsm.consumers.delete('INBOX', inboxDurable({ partition: 0, epoch }));
    await until(async () => verify.mock.results[0]);
    expect(await verify.mock.results[0]?.value).toBe(false);
    // The check of the previous lease has finished by now.
    await setImmediate();
    expect(await held()).toBe(1);
  } finally {
    await service.beforeApplicationShutdown();
  }
});

test('the profile of the installation is recorded when the service starts', async () => {
  const log = { debug() {}, info() {}, warn() {}, error() {} } as unknown as Logger;
  const settings = new Settings();
  settings.nats.partitions = 1;
  settings.runtimeProfile = { default: 'echo', stages: { execute: 'pi' }, workspaceMayUse: ['echo'] };
  const service = serviceWith(log, settings, new Registry());
  try {
    await service.onApplicationBootstrap();
    expect(await readRunningProfile(bus)).toEqual({ default: 'echo', stages: { execute: 'pi' } });
  } finally {
    await service.beforeApplicationShutdown();
  }
});
