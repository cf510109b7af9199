import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  Blobs,
  type Bus,
  callService,
  connectBus,
  consume,
  DeadLetters,
  lastMessageOn,
  OrderedPublisher,
  openBucket,
  orderedReader,
  provision,
  readSubject,
  serveCalls,
} from '@reins/bus';
import { findNatsServer, type NatsServer, startNatsServer } from '@reins/embedded';
import { busIdentity, NATS_USERS, type NatsUser } from '@reins/service-kit/nats-users';
import { repositoryRoot, tempDir, until } from '@reins/testing';
import { moveStreams } from './nats-topology.ts';
import { type NatsUsers, provideNatsUsers } from './nats-users.ts';

const RUNTIMES = ['pi'];
const TOPOLOGY = { managed: 'self', partitions: 4, replicas: 1, runtimeIds: RUNTIMES } as const;
const encoder = new TextEncoder();

let dir: string;
let users: NatsUsers;
let server: NatsServer;
let operator: Bus;
const connections = new Map<NatsUser, Promise<Bus>>();
const open: Bus[] = [];

async function startServer(config: string): Promise<NatsServer> {
  const found = await findNatsServer({
    stateDir: join(repositoryRoot, '.reins'),
    setting: process.env.REINS_NATS_SERVER,
    path: process.env.PATH ?? '',
  });
  if (!found) throw new Error('there is no NATS server: run `npm run setup`');
  return startNatsServer({ binary: found.binary, dir: join(dir, 'nats'), config });
}

beforeAll(async () => {
  dir = await tempDir('nats-users');
  users = await provideNatsUsers(dir, RUNTIMES);
  // The streams are those of an installation without accounts.
  const old = await startServer('');
  const bus = await connectBus({ servers: old.url, name: 'before' });
  await provision(bus, TOPOLOGY);
  await bus.js.publish('runtime.request.started.ws.r', 'a fact');
  await bus.close();
  await old.stop();
  await moveStreams(join(dir, 'nats'));
  server = await startServer(users.config);
  operator = await connectAs('operator');
  await operator.js.publish('journal.0.ws.r', 'a commit');
  await operator.js.publish('$KV.keys.k', '{"hash":"secret"}');
});

afterAll(async () => {
  await Promise.all(open.map((bus) => bus.close()));
  await server?.stop();
});

/** The connection of a user, which all tests share. */
function connectAs(user: NatsUser): Promise<Bus> {
  const known = connections.get(user) ?? connect(user);
  connections.set(user, known);
  return known;
}

async function connect(user: NatsUser, identity = identityOf(user)): Promise<Bus> {
  const bus = await connectBus({ servers: server.url, name: user, ...identity });
  bus.singleReplica = true;
  open.push(bus);
  return bus;
}

const identityOf = (user: NatsUser) => busIdentity({ usersDir: users.dir, managed: 'supervisor' }, user);

const publish = (user: NatsUser, subject: string): Promise<unknown> =>
  connectAs(user).then((bus) => bus.js.publish(subject, 'forged', { timeout: 500, retries: 1 }));

/** Everything that the streams hold, by stream. */
async function contents(): Promise<Record<string, unknown>> {
  const streams = await operator.jsm.streams.list().next();
  return Object.fromEntries(
    streams.map(({ config, state: { messages, last_seq } }) => [config.name, { messages, last_seq }]),
  );
}

describe('the users of the embedded NATS server', () => {
  it('keep their seeds over a restart, in files that only their owner can read', async () => {
    expect(await provideNatsUsers(dir, RUNTIMES)).toEqual(users);
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

  it('have the streams of an installation that had no accounts, which are moved once', async () => {
    expect(await lastMessageOn(operator, 'EVENTS', 'runtime.request.started.ws.r')).toMatchObject({ seq: 1 });
    await moveStreams(join(dir, 'nats'));
  });

  it('may publish what they produce, and nothing else', async () => {
    await expect(publish('control-bus', 'runtime.request.completed.ws.r')).resolves.toMatchObject({ stream: 'EVENTS' });
    await expect(publish('control-bus', 'journal.0.ws.r')).resolves.toMatchObject({ stream: 'JOURNAL' });
    await expect(publish('harness-host', 'agent.tool.start.ws.r')).resolves.toMatchObject({ stream: 'EVENTS' });
    await expect(publish('harness-host', 'runtime.adapter.event.ws.r')).resolves.toMatchObject({ stream: 'EVENTS' });
    await expect(publish('narrator', '$KV.positions.narrator')).resolves.toMatchObject({ stream: 'KV_positions' });
    await expect(publish('narrator', '$KV.positions.runtime-profile')).rejects.toThrow(/permission/i);
    await expect(publish('memory', 'memory.log.user.ann')).resolves.toMatchObject({ stream: 'MEMORY' });
    await expect(publish('memory', 'journal.0.ws.r')).rejects.toThrow(/permission/i);
    for (const user of ['gateway', 'harness-host', 'runner-prep', 'projector', 'narrator', 'subscriber'] as const) {
      await expect(publish(user, 'memory.log.user.ann')).rejects.toThrow(/permission/i);
      await expect(publish(user, 'journal.0.ws.r')).rejects.toThrow(/permission/i);
      await expect(publish(user, 'runtime.request.completed.ws.r')).rejects.toThrow(/permission/i);
    }
  });

  it.each(NATS_USERS.filter((user) => user !== 'operator'))(
    'do not let %s change streams or the work of others',
    async (user) => {
      const { jsm } = await connectAs(user);
      const { config } = await operator.jsm.streams.info('JOURNAL');
      await expect(jsm.streams.update('JOURNAL', { ...config, max_msgs: 1 })).rejects.toThrow();
      await expect(jsm.streams.add({ name: 'MINE', subjects: ['mine'] })).rejects.toThrow();
      await expect(jsm.streams.delete('EVENTS')).rejects.toThrow();
      await expect(jsm.streams.purge('EVENTS')).rejects.toThrow();
      // The control bus removes blobs that nothing refers to.
      if (user !== 'control-bus') await expect(jsm.streams.purge('OBJ_blobs')).rejects.toThrow();
      await expect(jsm.streams.deleteMessage('DEAD', 1)).rejects.toThrow();
      for (const durable of ['runtime-plan-requested', 'runtime-prepare-requested', 'runtime-stage-requested-pi']) {
        await expect(jsm.consumers.delete('EVENTS', durable)).rejects.toThrow();
        await expect(jsm.consumers.pause('EVENTS', durable, new Date(Date.now() + 60_000))).rejects.toThrow();
        await expect(jsm.consumers.add('EVENTS', { durable_name: durable, ack_policy: 'none' })).rejects.toThrow();
        expect((await operator.jsm.consumers.info('EVENTS', durable)).paused).not.toBe(true);
      }
      await expect(jsm.consumers.delete('COMMANDS', 'command-projection')).rejects.toThrow();
    },
  );

  it('let only the control bus purge the journals that it archives', async () => {
    const control = await connectAs('control-bus');
    await expect(control.jsm.streams.purge('JOURNAL', { filter: 'journal.9.none.none' })).resolves.toMatchObject({
      success: true,
    });
  });

  it('let the control bus see which stage requests wait', async () => {
    const control = await connectAs('control-bus');
    await expect(control.jsm.consumers.info('EVENTS', 'runtime-stage-requested-pi')).resolves.toMatchObject({
      ack_floor: expect.anything(),
    });
    await expect(control.jsm.consumers.delete('EVENTS', 'runtime-stage-requested-pi')).rejects.toThrow();
  });

  it.each([
    ['gateway', ['INBOX', 'KV_claims', 'KV_leases']],
    ['plan-compiler', ['JOURNAL', 'KV_keys', 'KV_requests', 'DEAD', 'INBOX']],
    ['runner-prep', ['JOURNAL', 'KV_keys', 'KV_requests', 'DEAD', 'INBOX']],
    ['harness-host', ['JOURNAL', 'KV_keys', 'KV_requests', 'DEAD', 'INBOX']],
    ['control-bus', ['KV_keys']],
    ['projector', ['KV_keys', 'KV_requests', 'KV_leases', 'DEAD']],
    ['narrator', ['JOURNAL', 'KV_keys', 'KV_requests', 'DEAD', 'INBOX', 'MEMORY']],
    ['memory', ['EVENTS', 'JOURNAL', 'KV_keys', 'KV_requests', 'DEAD', 'INBOX']],
    ['subscriber', ['JOURNAL', 'KV_keys', 'KV_requests', 'DEAD', 'INBOX', 'OBJ_blobs']],
  ] as const)('do not let %s read what it does not need', async (user, streams) => {
    const bus = await connectAs(user);
    for (const stream of streams) {
      await expect(bus.jsm.streams.getMessage(stream, { seq: 1 })).rejects.toThrow();
      await expect(bus.jsm.direct.getMessage(stream, { seq: 1 })).rejects.toThrow();
      await expect(bus.jsm.consumers.add(stream, { name: 'mine' })).rejects.toThrow();
    }
  });
});

describe('a reply of the server', () => {
  const TARGETS = [
    'journal.0.ws.r',
    '$KV.leases.p.0',
    '$KV.keys.forged',
    'inbox.0.command.approval.resolve.ws.r',
    'inbox.0.runtime.stage.completed.ws.r.ef',
    'runtime.request.completed.ws.r',
    '$JS.API.CONSUMER.DELETE.EVENTS.runtime-plan-requested',
    '$JS.API.STREAM.PURGE.EVENTS',
    'REINS.API.CONSUMER.DELETE.EVENTS.runtime-plan-requested',
    'REINS.API.STREAM.PURGE.EVENTS',
  ];
  const GUESTS = NATS_USERS.filter((user) => user !== 'operator' && user !== 'control-bus');

  it.each(GUESTS)('cannot be sent to a stream or an API by %s', async (user) => {
    const { nc } = await connectAs(user);
    const before = await contents();
    const requests: [string, string][] = [
      ['INFO', ''],
      ['STREAM.INFO.EVENTS', ''],
      ['STREAM.MSG.GET.EVENTS', '{"seq":1}'],
      ['DIRECT.GET.EVENTS', '{"seq":1}'],
      ['DIRECT.GET.EVENTS', '{"seq":1000000}'],
      ['DIRECT.GET.EVENTS', '{"seq":1,"next_by_subj":">","batch":10}'],
      ['DIRECT.GET.EVENTS.runtime.request.started.ws.r', ''],
    ];
    for (const [subject, body] of requests)
      for (const prefix of ['$JS.API', 'REINS.API'])
        for (const reply of TARGETS) nc.publish(`${prefix}.${subject}`, body, { reply });
    // The server has handled everything before it replies to this request.
    await lastMessageOn(await connectAs('gateway'), 'EVENTS', 'runtime.>');
    await nc.flush();
    await operator.jsm.consumers.info('EVENTS', 'runtime-plan-requested');
    expect(await contents()).toEqual(before);
  });

  it('comes to the requester only', async () => {
    const secret = operator.request('$JS.API.DIRECT.GET.KV_keys', encoder.encode('{"last_by_subj":"$KV.keys.k"}'));
    const seen: string[] = [];
    for (const user of NATS_USERS.filter((each) => each !== 'operator')) {
      const { nc } = await connectAs(user);
      for (const subject of ['_INBOX.>', '_INBOX_operator.>', '_R_.>', '>']) {
        nc.subscribe(subject, {
          callback: (error, message) => void (error ?? seen.push(`${user} ${message.subject}`)),
        });
      }
      await nc.flush();
    }
    expect((await secret).string()).toContain('secret');
    const { inboxPrefix: _, ...withoutInboxes } = identityOf('operator');
    const cli = await connect('operator', withoutInboxes);
    await cli.jsm.streams.getMessage('JOURNAL', { seq: 1 });
    await cli.request('$JS.API.DIRECT.GET.KV_keys', encoder.encode('{"last_by_subj":"$KV.keys.k"}'));
    expect(seen).toEqual([]);
  });
});

describe('what users need', () => {
  it('a subscriber sees events and signals of every service once, and reads single events', async () => {
    const subscriber = await connectAs('subscriber');
    const seen: string[] = [];
    for (const subject of ['runtime.>', 'agent.>', 'control.directive.emitted'])
      subscriber.nc.subscribe(subject, { callback: (_, message) => void seen.push(message.subject) });
    await subscriber.nc.flush();
    const published: [NatsUser, string][] = [
      ['control-bus', 'runtime.request.progress.ws.r'],
      ['control-bus', 'control.directive.emitted.ws.r'],
      ['harness-host', 'agent.tool.start.ws.r2'],
      ['harness-host', 'agent.output.delta.ws.r2'],
      ['harness-host', 'runtime.harness.registered.none.none'],
      ['narrator', 'runtime.progress.narration.ws.r2'],
    ];
    for (const [user, subject] of published) await publish(user, subject);
    await until(() => seen.length >= published.length);
    await subscriber.jsm.streams.info('EVENTS');
    expect(seen.sort()).toEqual([...published.map(([, subject]) => subject.replace(/(emitted).*/, '$1'))].sort());
    expect(await subscriber.jsm.streams.getMessage('EVENTS', { seq: 1 })).toMatchObject({ seq: 1 });
    await expect(subscriber.jsm.consumers.add('EVENTS', { durable_name: 'thief' })).rejects.toThrow();
  });

  it.each(['gateway', 'projector', 'narrator'] as const)(
    '%s reads EVENTS in order with any number of filters, as often as it restarts',
    async (user) => {
      for (let start = 0; start < 40; start += 1) {
        const bus = await connectAs(user);
        const first = Promise.withResolvers<string>();
        const reader = await orderedReader(bus, {
          stream: 'EVENTS',
          from: 1,
          filters: start % 2 ? ['>'] : ['runtime.>', 'agent.>'],
          onMessage: ({ subject }) => first.resolve(subject),
        });
        expect(await first.promise).toBe('runtime.request.started.ws.r');
        await reader.stop();
      }
    },
  );

  it.each([
    ['plan-compiler', 'runtime-plan-requested', 'runtime.plan.requested.ws.r'],
    ['runner-prep', 'runtime-prepare-requested', 'runtime.prepare.requested.ws.r'],
    ['harness-host', 'runtime-stage-requested-pi', 'runtime.stage.requested.ws.r.pi'],
  ] as const)('%s takes its work, acknowledges and dead-letters it', async (user, durable, subject) => {
    const bus = await connectAs(user);
    await operator.js.publish(subject, '{}', { msgID: `${user}-1` });
    await operator.js.publish(subject, '{}', { msgID: `${user}-2` });
    const handled: string[] = [];
    const consumption = await consume(bus, {
      stream: 'EVENTS',
      durable,
      concurrency: 1,
      retry: { delaysMs: [] },
      handler: async ({ msgId }) => {
        handled.push(msgId);
        if (msgId === `${user}-2`) throw new Error('poison');
      },
    });
    const dead = new DeadLetters(await connectAs('gateway'));
    await until(async () => (await dead.list({ subject })).some(({ consumer }) => consumer === durable));
    await consumption.stop();
    expect([...new Set(handled)]).toEqual([`${user}-1`, `${user}-2`]);
    expect(await operator.jsm.consumers.info('EVENTS', durable)).toMatchObject({ num_ack_pending: 0, num_pending: 0 });
  });

  it.each(['gateway', 'plan-compiler', 'runner-prep', 'harness-host', 'control-bus'] as const)(
    '%s stores large blobs, also when two do at once',
    async (user) => {
      const [bus, other] = [await connectAs(user), await connectAs('gateway')];
      const bytes = Buffer.alloc(400 * 1024, user);
      const refs = await Promise.all([bus, other].map(async (each) => (await Blobs.open(each)).put(bytes)));
      expect(refs[0]).toEqual(refs[1]);
      expect(Buffer.compare(Buffer.from(await (await Blobs.open(bus)).get(refs[0] as never)), bytes)).toBe(0);
    },
  );

  it('the gateway watches keys, and publishes commands in order', async () => {
    const gateway = await connectAs('gateway');
    expect(await (await openBucket(gateway, 'keys')).keys()).toEqual(['k']);
    const publisher = new OrderedPublisher(gateway);
    const subjects = Array.from({ length: 200 }, (_, n) => `inbox.1.command.signal.ws.r${n}`);
    await publisher.publishAll(
      subjects.map((subject, n) => ({
        subject,
        data: encoder.encode('{}'),
        headers: { id: `c${n}`, type: 'command.signal', source: 't', time: new Date(0).toISOString() },
      })),
    );
    await publisher.close();
    const stored: string[] = [];
    for await (const { subject } of readSubject(operator, 'INBOX', 'inbox.1.>')) stored.push(subject);
    expect(stored).toEqual(subjects);
  });

  it('memory responds to the calls of the gateway, and to no other calls', async () => {
    const served = serveCalls(await connectAs('memory'), {
      prefix: 'memory.call',
      handlers: { show: async (body) => ({ asked: body }) },
    });
    await (await connectAs('memory')).nc.flush();
    expect(await callService(await connectAs('gateway'), 'memory.call.show', { id: 'm' })).toEqual({
      asked: { id: 'm' },
    });
    for (const user of ['harness-host', 'narrator', 'subscriber'] as const)
      await expect(callService(await connectAs(user), 'memory.call.show', {})).rejects.toMatchObject({
        code: 'service_unavailable',
      });
    await served.stop();
  });

  it('memory erases messages of its own stream', async () => {
    const { js, jsm } = await connectAs('memory');
    const { seq } = await js.publish('memory.log.user.bob', '{}');
    expect(await jsm.streams.deleteMessage('MEMORY', seq)).toBe(true);
    await expect(jsm.streams.purge('MEMORY')).rejects.toThrow();
  });

  it('a harness host sees the claims of other hosts and of the control bus', async () => {
    const host = await connectAs('harness-host');
    const seen: string[] = [];
    host.nc.subscribe('$KV.claims.ef', { callback: (_, message) => void seen.push(message.string()) });
    await host.nc.flush();
    for (const user of ['harness-host', 'control-bus'] as const) {
      await (await openBucket(await connectAs(user), 'claims')).put('ef', user);
    }
    await host.jsm.streams.info('KV_claims');
    await host.nc.flush();
    expect(seen).toEqual(['"harness-host"', '"control-bus"']);
  });
});
