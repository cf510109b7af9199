import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Bus } from '../connection/bus.ts';
import { DeadLetters } from '../dead/dead-letters.ts';
import { openBucket } from '../kv/bucket.ts';
import { consumeInbox } from '../partitions/inbox.ts';
import { OrderedPublisher } from '../publish/ordered-publisher.ts';
import { BusFixture, event, leaseOf, until } from '../testing/fixture.ts';
import { consume } from './consume.ts';
import type { Consumption } from './consumption.ts';
import { type CrashMark, crashesOf, NO_MARK } from './crash-mark.ts';
import type { ConsumeOptions } from './options.ts';

const DURABLE = 'runtime-plan-requested';

describe('a poison message', () => {
  let fixture: BusFixture;
  let bus: Bus;
  let dead: DeadLetters;
  beforeEach(async () => {
    fixture = await BusFixture.start();
    bus = await fixture.connect();
    dead = new DeadLetters(bus);
  });
  afterEach(() => fixture.stop());

  type Start = (bus: Bus, generation: number, handler: ConsumeOptions['handler']) => Promise<Consumption>;

  /**
   * Runs one process after the other until the poison message crashes it: its connection is gone, nothing was
   * acknowledged or returned. Resolves with the handled messages and the number of crashes.
   */
  async function runUntilDead(start: Start): Promise<{ handled: Set<string>; crashes: number }> {
    const handled = new Set<string>();
    let crashes = 0;
    while ((await dead.list()).length === 0) {
      const crashing = await fixture.connect('crashing');
      const { promise: crashed, resolve: crash } = Promise.withResolvers<void>();
      const consumption = await start(crashing, crashes + 1, (message) => {
        if (!message.msgId.startsWith('poison')) {
          handled.add(message.msgId);
          return;
        }
        crashes++;
        crash();
        return new Promise(() => {});
      });
      await Promise.race([
        crashed,
        until(async () => (await dead.list()).length === 1, 'the message is dead-lettered'),
      ]);
      await crashing.nc.close();
      await consumption.closed;
    }
    return { handled, crashes };
  }

  it('is identified among the messages in flight with it, and dead after five crashes', async () => {
    const { config } = await bus.jsm.consumers.info('EVENTS', DURABLE);
    await bus.jsm.consumers.update('EVENTS', DURABLE, { ...config, ack_wait: 300e6 });
    const messages = ['fine-1', 'poison', 'fine-2'].map((id) => event(`runtime.plan.requested.ws.${id}`, id));
    await new OrderedPublisher(bus).publishAll(messages);
    const { handled, crashes } = await runUntilDead((crashing, _generation, handler) =>
      consume(crashing, { stream: 'EVENTS', durable: DURABLE, concurrency: 3, handler }),
    );
    expect([crashes, [...handled].sort()]).toEqual([5, ['fine-1', 'fine-2']]);
    expect((await dead.list()).map(({ problem, subject }) => `${problem.code} ${subject}`)).toEqual([
      'delivery_crashed runtime.plan.requested.ws.poison',
    ]);
  });

  it('is dead-lettered when onDead crashes the process as well', async () => {
    const { config } = await bus.jsm.consumers.info('EVENTS', DURABLE);
    await bus.jsm.consumers.update('EVENTS', DURABLE, { ...config, ack_wait: 300e6 });
    const messages = ['fine-1', 'poison', 'fine-2'].map((id) => event(`runtime.plan.requested.ws.${id}`, id));
    await new OrderedPublisher(bus).publishAll(messages);
    const { handled, crashes } = await runUntilDead((crashing, _generation, handler) =>
      consume(crashing, { stream: 'EVENTS', durable: DURABLE, concurrency: 3, handler, onDead: handler }),
    );
    expect([crashes, [...handled].sort()]).toEqual([7, ['fine-1', 'fine-2']]);
    expect((await dead.list()).map(({ problem, subject }) => `${problem.code} ${subject}`)).toEqual([
      'delivery_crashed runtime.plan.requested.ws.poison',
    ]);
  });

  it('does not include a message whose handler cleared the suspicion, however often others crash the process', async () => {
    const { config } = await bus.jsm.consumers.info('EVENTS', DURABLE);
    await bus.jsm.consumers.update('EVENTS', DURABLE, { ...config, ack_wait: 300e6 });
    await new OrderedPublisher(bus).publishAll([event('runtime.plan.requested.ws.long', 'long')]);
    for (let generation = 1; generation <= 5; generation += 1) {
      const crashing = await fixture.connect('crashing');
      const { promise: recorded, resolve } = Promise.withResolvers<void>();
      const consumption = await consume(crashing, {
        stream: 'EVENTS',
        durable: DURABLE,
        concurrency: 1,
        handler: async (message) => {
          await message.clearPoisonSuspicion();
          resolve();
          await new Promise(() => {});
        },
      });
      await recorded;
      await crashing.nc.close();
      await consumption.closed;
    }
    const handled = Promise.withResolvers<number>();
    const last = await consume(bus, {
      stream: 'EVENTS',
      durable: DURABLE,
      concurrency: 1,
      handler: async ({ deliveries }) => handled.resolve(deliveries),
    });
    expect(await handled.promise).toBe(6);
    await last.stop();
    expect(await dead.list()).toEqual([]);
  });

  it('is not passed to a process below the minimum uptime once it is suspected, which grows with each crash', async () => {
    const { config } = await bus.jsm.consumers.info('EVENTS', DURABLE);
    await bus.jsm.consumers.update('EVENTS', DURABLE, { ...config, ack_wait: 300e6 });
    await new OrderedPublisher(bus).publishAll([event('runtime.plan.requested.ws.first', 'first')]);
    /** Time from the start of the process until the message is handled. */
    const age = async (on: Bus): Promise<number> => {
      const handled = Promise.withResolvers<number>();
      const begun = performance.now();
      const handler = () => {
        handled.resolve(performance.now() - begun);
        return new Promise<void>(() => {});
      };
      const consumption = await consume(on, { stream: 'EVENTS', durable: DURABLE, concurrency: 1, handler });
      const after = await handled.promise;
      await on.nc.close();
      await consumption.closed;
      return after;
    };
    const ages: number[] = []; // of its readers: the second one marks it, the third one finds the mark
    for (let generation = 1; generation <= 4; generation += 1) ages.push(await age(await fixture.connect('crashing')));
    expect(ages[2]).toBeGreaterThan(1_900);
    expect(ages[3]).toBeGreaterThan(3_900);
  });

  it('leaves no mark behind when the connection was lost during its handling', async () => {
    const { config } = await bus.jsm.consumers.info('EVENTS', DURABLE);
    await bus.jsm.consumers.update('EVENTS', DURABLE, { ...config, ack_wait: 300e6 });
    await new OrderedPublisher(bus).publishAll([event('runtime.plan.requested.ws.marked', 'marked')]);
    const take = (on: Bus, handler: ConsumeOptions['handler']) =>
      consume(on, { stream: 'EVENTS', durable: DURABLE, concurrency: 1, handler });
    const crashing = await fixture.connect('crashing');
    const taken = Promise.withResolvers<void>();
    const first = await take(crashing, () => {
      taken.resolve();
      return new Promise(() => {});
    });
    await taken.promise;
    await crashing.nc.close();
    await first.closed;
    const [suspected, handled] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const second = await take(bus, () => {
      suspected.resolve();
      return handled.promise;
    });
    await suspected.promise;
    const claims = await openBucket(bus, 'claims');
    expect(await claims.keys('crash.>')).toHaveLength(1);
    await fixture.nats.kill();
    await until(() => bus.state === 'disconnected', 'the loss is noticed');
    handled.resolve();
    await fixture.nats.restart();
    const marks = async () => (bus.state === 'connected' ? claims.keys('crash.>').catch(() => ['?']) : ['?']);
    await until(async () => (await marks()).length === 0, 'the mark is gone');
    await second.stop();
  });

  /** Handles the message until its connection is closed, as by a crash, or `handled` resolves. */
  async function takeUntil(on: Bus, handled: Promise<void>): Promise<Consumption> {
    const taken = Promise.withResolvers<void>();
    const handler = () => {
      taken.resolve();
      return handled;
    };
    const consumption = await consume(on, { stream: 'EVENTS', durable: DURABLE, concurrency: 1, handler });
    await taken.promise;
    return consumption;
  }

  it('loses the mark of a process that survived, although another process has marked it since', async () => {
    const { config } = await bus.jsm.consumers.info('EVENTS', DURABLE);
    await bus.jsm.consumers.update('EVENTS', DURABLE, { ...config, ack_wait: 300e6 });
    await new OrderedPublisher(bus).publishAll([event('runtime.plan.requested.ws.marked', 'marked')]);
    const never = new Promise<void>(() => {});
    const [crashing, slow, last] = [await fixture.connect('crashing'), await fixture.connect('slow'), bus];
    await takeUntil(crashing, never);
    await crashing.nc.close();
    // It lets the message be redelivered, as when a process is frozen or has lost its lease.
    const survived = Promise.withResolvers<void>();
    const abandoned = await takeUntil(slow, survived.promise);
    abandoned.abandon();
    await takeUntil(last, never);
    const claims = await openBucket<CrashMark>(bus, 'claims');
    const marks = async (): Promise<readonly string[]> => {
      const [key] = await claims.keys('crash.>');
      return key === undefined ? [] : ((await claims.get(key))?.value.attempts ?? []).map(({ by }) => by);
    };
    expect(await marks()).toEqual([slow.id, last.id]);
    survived.resolve();
    await until(async () => (await marks()).length === 1, 'the mark of the process that survived is removed');
    expect(await marks()).toEqual([last.id]);
  });

  it('is suspected less when its process is still alive after the probation', async () => {
    const { config } = await bus.jsm.consumers.info('EVENTS', DURABLE);
    await bus.jsm.consumers.update('EVENTS', DURABLE, { ...config, ack_wait: 300e6 });
    await new OrderedPublisher(bus).publishAll([event('runtime.plan.requested.ws.marked', 'marked')]);
    const never = new Promise<void>(() => {});
    const [crashing, slow] = [await fixture.connect('crashing'), await fixture.connect('slow')];
    await takeUntil(crashing, never);
    await crashing.nc.close();
    await takeUntil(slow, never);
    const claims = await openBucket<CrashMark>(bus, 'claims');
    const crashes = async (): Promise<number> => {
      const [key = ''] = await claims.keys('crash.>');
      return crashesOf((await claims.get(key))?.value ?? NO_MARK, bus.id);
    };
    expect(await crashes()).toBe(1);
    await until(async () => (await crashes()) < 1, 'the probation is over');
    expect(await crashes()).toBe(0.25);
  });

  it('is identified in an inbox although each owner uses a new consumer', async () => {
    const messages = ['fine-1', 'poison', 'fine-2'].map((id) => event(`inbox.1.timer.due.ws.${id}.effect`, id));
    await new OrderedPublisher(bus).publishAll(messages);
    const { handled, crashes } = await runUntilDead((crashing, generation, handler) =>
      consumeInbox(crashing, {
        lease: leaseOf(1, generation),
        leases: { verify: async () => true },
        concurrency: 3,
        handler,
      }),
    );
    expect([crashes, [...handled].sort()]).toEqual([5, ['fine-1', 'fine-2']]);
    expect((await dead.list()).map(({ problem, subject }) => `${problem.code} ${subject}`)).toEqual([
      'delivery_crashed inbox.1.timer.due.ws.poison.effect',
    ]);
  });
});
