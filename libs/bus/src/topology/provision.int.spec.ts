import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Kvm } from '@nats-io/kv';
import { nanos } from '@nats-io/nats-core';
import { startNats, type TestNats } from '@reins/testing';
import { type Bus, connectBus } from '../connection/bus.ts';
import { consume } from '../consume/consume.ts';
import { collect, until } from '../testing/fixture.ts';
import { formatChanges } from './diff.ts';
import { BUCKET_NAMES, OBJECT_STORE_NAMES, STAGE_WORK_TYPE, STREAM_NAMES, workerDurable } from './names.ts';
import { provision } from './provision.ts';

const DAY_MS = 86_400_000;
const SETTINGS = { partitions: 4, replicas: 1, runtimeIds: ['pi', 'codex'] } as const;

describe('provisioning', () => {
  let nats: TestNats;
  let bus: Bus;
  beforeAll(async () => {
    nats = await startNats();
    bus = await connectBus({ servers: nats.url, name: 'provisioner' });
  });
  afterAll(async () => {
    await bus.close();
    await nats.stop();
  });

  it('changes nothing on an externally managed server, and reports what is missing', async () => {
    const refused = provision(bus, { ...SETTINGS, managed: 'external' });
    await expect(refused).rejects.toMatchObject({
      code: 'bus_topology_mismatch',
      message: expect.stringContaining('+ stream EVENTS'),
    });
    expect(await collect(bus.jsm.streams.list())).toEqual([]);
  });

  it('creates what is missing, once', async () => {
    const changes = await provision(bus, { ...SETTINGS, managed: 'self' });
    const made = (kind: string) => changes.filter((change) => change.kind === kind).length;
    expect([made('stream'), made('bucket'), made('object-store')]).toEqual([
      STREAM_NAMES.length,
      BUCKET_NAMES.length,
      OBJECT_STORE_NAMES.length,
    ]);
    expect(changes.map(({ name }) => name)).toContain('runtime-stage-requested-codex');
    expect(await provision(bus, { ...SETTINGS, managed: 'self' })).toEqual([]);
    expect(await provision(bus, { ...SETTINGS, managed: 'external' })).toEqual([]);
  });

  it('creates streams that survive a server restart', async () => {
    await nats.restart();
    await until(() => bus.state === 'connected', 'the connection is back');
    expect(await provision(bus, { ...SETTINGS, managed: 'external' })).toEqual([]);
  });

  it('updates what differs, and reports it', async () => {
    const changes = await provision(bus, { ...SETTINGS, eventsMaxAgeDays: 30, managed: 'self' });
    expect(formatChanges(changes)).toBe(`~ stream EVENTS\n    max_age: ${nanos(90 * DAY_MS)} → ${nanos(30 * DAY_MS)}`);
    expect(await provision(bus, { ...SETTINGS, eventsMaxAgeDays: 30, managed: 'external' })).toEqual([]);
  });

  it("leaves an operator's limit of EVENTS as it is", async () => {
    await bus.jsm.streams.update('EVENTS', { max_bytes: 5e8 });
    for (const managed of ['self', 'external'] as const)
      expect(await provision(bus, { ...SETTINGS, eventsMaxAgeDays: 30, managed })).toEqual([]);
    expect((await bus.jsm.streams.info('EVENTS')).config.max_bytes).toBe(5e8);
    await bus.jsm.streams.update('EVENTS', { max_bytes: -1 });
  });

  it('lifts the limit of a durable that an earlier version has filled', async () => {
    const durable = workerDurable(STAGE_WORK_TYPE, 'pi');
    await bus.jsm.consumers.update('EVENTS', durable, { max_ack_pending: 2 });
    const taken: string[] = [];
    const gate = Promise.withResolvers<void>();
    const host = await consume(bus, {
      stream: 'EVENTS',
      durable,
      concurrency: 3,
      handler: ({ subject }) => {
        taken.push(subject);
        return gate.promise;
      },
    });
    for (const request of ['a', 'b', 'c']) await bus.js.publish(`${STAGE_WORK_TYPE}.ws.${request}.pi`, '{}');
    await until(() => taken.length === 2, 'the durable is full');
    const pending = async (): Promise<number> => (await bus.jsm.consumers.info('EVENTS', durable)).num_pending;
    await until(async () => (await pending()) === 1, 'the third request is stored');
    expect(taken).toHaveLength(2);
    const changes = await provision(bus, { ...SETTINGS, eventsMaxAgeDays: 30, managed: 'self' });
    expect(formatChanges(changes)).toBe(`~ consumer ${durable}\n    max_ack_pending: 2 → -1`);
    await until(() => taken.length === 3, 'the third request is delivered');
    gate.resolve();
    await host.stop();
  });

  it('rejects a difference that the server cannot change', async () => {
    await bus.jsm.streams.delete('COMMANDS');
    await bus.jsm.streams.add({ name: 'COMMANDS', subjects: ['command.memory.>'], storage: 'memory' });
    await expect(provision(bus, { ...SETTINGS, managed: 'self' })).rejects.toMatchObject({
      code: 'bus_topology_mismatch',
      message: expect.stringContaining('! stream COMMANDS'),
    });
    await bus.jsm.streams.delete('COMMANDS');
  });

  it('creates the durable of a runtime that is added later', async () => {
    await provision(bus, { ...SETTINGS, managed: 'self' });
    const settings = { ...SETTINGS, runtimeIds: [...SETTINGS.runtimeIds, 'gemini'], managed: 'self' } as const;
    expect(await provision(bus, settings)).toHaveLength(1);
    expect(await provision(bus, settings)).toEqual([]);
    const { config } = await bus.jsm.consumers.info('EVENTS', 'runtime-stage-requested-gemini');
    expect(config.filter_subject).toBe('runtime.stage.requested.*.*.gemini');
  });

  it('republishes directives on the plain subject', async () => {
    const heard = bus.nc.subscribe('control.directive.emitted', { max: 1 });
    await bus.js.publish('control.directive.emitted.ws.req', '{"directive":"continue"}');
    for await (const message of heard) {
      expect(message.json()).toEqual({ directive: 'continue' });
      expect(message.headers?.get('Nats-Subject')).toBe('control.directive.emitted.ws.req');
    }
  });

  it('creates buckets that the NATS tools recognise', async () => {
    const bucket = await new Kvm(bus.nc).open('sessions');
    await bucket.put('s1', 'x');
    expect((await bucket.get('s1'))?.string()).toBe('x');
    expect((await bucket.status()).history).toBe(1);
  });
});
