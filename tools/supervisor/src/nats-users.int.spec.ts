import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Bus, connectBus, openBucket } from '@reins/bus';
import { findNatsServer, type NatsServer, startNatsServer } from '@reins/embedded';
import { busIdentity, NATS_USERS, type NatsUser } from '@reins/service-kit/nats-users';
import { repositoryRoot, tempDir } from '@reins/testing';
import { type NatsUsers, provideNatsUsers } from './nats-users.ts';

let dir: string;
let users: NatsUsers;
let server: NatsServer;
const open: Bus[] = [];

beforeAll(async () => {
  dir = await tempDir('nats-users');
  users = await provideNatsUsers(dir);
  const found = await findNatsServer({
    stateDir: join(repositoryRoot, '.reins'),
    setting: process.env.REINS_NATS_SERVER,
    path: process.env.PATH ?? '',
  });
  if (!found) throw new Error('there is no NATS server: run `npm run setup`');
  server = await startNatsServer({ binary: found.binary, dir: join(dir, 'nats'), config: users.config });
  const operator = await connectAs('operator');
  await operator.jsm.streams.add({ name: 'EVENTS', subjects: ['runtime.>', 'agent.>'] });
  await operator.jsm.streams.add({ name: 'JOURNAL', subjects: ['journal.>'] });
  await operator.js.publish('runtime.request.started.ws.r', 'a fact');
});

afterAll(async () => {
  await Promise.all(open.map((bus) => bus.close()));
  await server?.stop();
});

async function connectAs(user: NatsUser): Promise<Bus> {
  const bus = await connectBus({ servers: server.url, name: user, ...busIdentity({ usersDir: users.dir }, user) });
  open.push(bus);
  return bus;
}

const publish = (user: NatsUser, subject: string): Promise<unknown> =>
  connectAs(user).then((bus) => bus.js.publish(subject, 'forged', { timeout: 500, retries: 1 }));

describe('the users of the embedded NATS server', () => {
  it('keep their seeds over a restart, in files that only their owner can read', async () => {
    expect(await provideNatsUsers(dir)).toEqual(users);
    expect((await stat(users.dir)).mode & 0o777).toBe(0o700);
    for (const user of NATS_USERS) {
      const file = join(users.dir, `${user}.nk`);
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      expect(users.config).not.toContain((await readFile(file, 'utf8')).trim());
    }
  });

  it('are the only ones that can connect', async () => {
    await expect(connectBus({ servers: server.url, name: 'stranger' })).rejects.toMatchObject({
      code: 'bus_unavailable',
      message: expect.stringMatching(/authorization/i),
    });
  });

  it('may publish what they produce, and nothing else', async () => {
    await expect(publish('control-bus', 'runtime.request.completed.ws.r')).resolves.toMatchObject({ stream: 'EVENTS' });
    await expect(publish('control-bus', 'journal.0.ws.r')).resolves.toMatchObject({ stream: 'JOURNAL' });
    await expect(publish('harness-host', 'agent.tool.start.ws.r')).resolves.toMatchObject({ stream: 'EVENTS' });
    for (const user of ['gateway', 'harness-host', 'runner-prep', 'projector', 'narrator', 'subscriber'] as const) {
      await expect(publish(user, 'journal.0.ws.r')).rejects.toThrow(/permission/i);
      await expect(publish(user, 'runtime.request.completed.ws.r')).rejects.toThrow(/permission/i);
    }
  });

  it('cannot delete or purge what is recorded, save for the control bus, which archives journals', async () => {
    const host = await connectAs('harness-host');
    await expect(host.jsm.streams.delete('EVENTS')).rejects.toThrow();
    await expect(host.jsm.streams.purge('EVENTS')).rejects.toThrow();
    const control = await connectAs('control-bus');
    await expect(control.jsm.streams.purge('EVENTS')).rejects.toThrow();
    await expect(control.jsm.streams.purge('JOURNAL', { filter: 'journal.9.none.none' })).resolves.toMatchObject({
      success: true,
    });
  });

  it('let a subscriber read events, and change nothing', async () => {
    const subscriber = await connectAs('subscriber');
    expect((await subscriber.jsm.streams.info('EVENTS')).state.messages).toBeGreaterThan(0);
    expect(await subscriber.jsm.streams.getMessage('EVENTS', { seq: 1 })).toMatchObject({ seq: 1 });
    await expect(subscriber.jsm.consumers.add('EVENTS', { durable_name: 'thief' })).rejects.toThrow();
    await expect(subscriber.jsm.streams.getMessage('JOURNAL', { seq: 1 })).rejects.toThrow();
    await expect((await openBucket(subscriber, 'keys')).get('any')).rejects.toThrow();
  });
});
