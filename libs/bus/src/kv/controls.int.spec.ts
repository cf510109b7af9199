import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startNats } from '@reins/testing';
import { type Bus, connectBus } from '../connection/bus.ts';
import { BusFixture, until } from '../testing/fixture.ts';
import { FlakyLink } from '../testing/flaky-link.ts';
import { provision } from '../topology/provision.ts';
import { type ControlMessage, Controls } from './controls.ts';

let fixture: BusFixture;
let bus: Bus;
beforeAll(async () => {
  fixture = await BusFixture.start();
  bus = await fixture.connect();
});
afterAll(() => fixture.stop());

describe('controls', () => {
  it('reach the host once and in order, whether sent before or after it watches', async () => {
    const controls = await Controls.open(bus);
    const seen: ControlMessage[] = [];
    await controls.send('effect-c', { id: '1', kind: 'nudge' });
    await controls.send('effect-c', { id: '2', kind: 'answer', body: { text: 'yes' } });
    await controls.send('effect-other', { id: '9', kind: 'cancel' });
    const unwatch = await controls.watch('effect-c', (message) => seen.push(message));
    await controls.send('effect-c', { id: '2', kind: 'answer', body: { text: 'yes' } });
    await controls.send('effect-c', { id: '3', kind: 'cancel' });
    await until(() => seen.length === 3, 'all have arrived');
    expect(seen.map(({ id, kind }) => `${id} ${kind}`)).toEqual(['1 nudge', '2 answer', '3 cancel']);
    await controls.send('effect-c', { id: 'cancel.2', kind: 'cancel', attempt: 2 });
    const later: ControlMessage[] = [];
    const unwatchLater = await controls.watch('effect-c', (message) => later.push(message));
    await until(() => seen.length === 4, 'the last one has arrived');
    expect(seen.at(-1)).toMatchObject({ id: 'cancel.2', attempt: 2 });
    unwatch();
    unwatchLater();
    await controls.clear('effect-c');
  });

  it('reach only hosts that watch the effect', async () => {
    const controls = await Controls.open(bus);
    const seen: string[] = [];
    const watches = ['here', 'elsewhere'].map((effect) => controls.watch(effect, ({ id }) => seen.push(id)));
    const ends = await Promise.all(watches);
    // Without a consumer, the server sends a host only the subjects that it subscribes to.
    expect((await bus.jsm.streams.info('KV_controls')).state.consumer_count).toBe(0);
    await controls.send('elsewhere-too', { id: 'other', kind: 'cancel' });
    await controls.send('here', { id: 'own', kind: 'cancel' });
    await until(() => seen.length > 0, 'it has arrived');
    expect(seen).toEqual(['own']);
    for (const end of ends) end();
  });

  it('reach a host that the server refuses the subscription, and leave its connection usable', async () => {
    const denied = 'permissions: { subscribe: { deny: "$KV.controls.*" } }';
    const nats = await startNats({
      config: `no_auth_user: u
authorization { users = [{ user: u, password: p, ${denied} }] }`,
    });
    const refused = await connectBus({ servers: nats.url, name: 'refused' });
    await provision(refused, { partitions: 1, replicas: 1, runtimeIds: [], managed: 'self' });
    const controls = await Controls.open(refused);
    await controls.send('effect-r', { id: '1', kind: 'cancel' });
    const seen: string[] = [];
    const end = await controls.watch('effect-r', ({ id }) => seen.push(id));
    expect(seen).toEqual(['1']);
    // The error of the subscription arrives before this reply.
    expect((await refused.jsm.streams.info('KV_controls')).state.messages).toBe(1);
    end();
    await refused.close();
    await nats.stop();
  });

  it('that the connection lost reach the host after it is connected again', async () => {
    const link = await FlakyLink.start(fixture.nats.port);
    const host = await connectBus({ servers: link.url, name: 'cut-off' });
    const seen: string[] = [];
    const end = await (await Controls.open(host)).watch('effect-cut', ({ id }) => seen.push(id));
    link.lose('replies');
    await (await Controls.open(bus)).send('effect-cut', { id: 'missed', kind: 'cancel' });
    link.cut();
    await until(() => seen.length > 0, 'it is read again');
    expect(seen).toEqual(['missed']);
    end();
    await host.close();
    link.stop();
  });
});
