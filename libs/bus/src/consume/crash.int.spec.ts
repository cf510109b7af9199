import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Bus } from '../connection/bus.ts';
import { DeadLetters } from '../dead/dead-letters.ts';
import { openBucket } from '../kv/bucket.ts';
import { consumeInbox } from '../partitions/inbox.ts';
import { OrderedPublisher } from '../publish/ordered-publisher.ts';
import { BusFixture, event, until } from '../testing/fixture.ts';
import { consume } from './consume.ts';
import type { Consumption } from './consumption.ts';
import type { ConsumeOptions } from './options.ts';

const DURABLE = 'runtime-plan-requested';

describe('a message that ends the process that handles it', () => {
  let fixture: BusFixture;
  let bus: Bus;
  let dead: DeadLetters;
  beforeEach(async () => {
    fixture = await BusFixture.start();
    bus = await fixture.connect();
    dead = new DeadLetters(bus);
  });
  afterEach(() => fixture.stop());

  type Start = (bus: Bus, life: number, handler: ConsumeOptions['handler']) => Promise<Consumption>;

  /**
   * Lets one process after the other work until the poison ends it: its connection is gone, nothing was acknowledged or
   * handed back. Answers with what was handled and how often a process ended.
   */
  async function liveAndDie(start: Start): Promise<{ handled: Set<string>; crashes: number }> {
    const handled = new Set<string>();
    let crashes = 0;
    while ((await dead.list()).length === 0) {
      const doomed = await fixture.connect('doomed');
      const { promise: crashed, resolve: crash } = Promise.withResolvers<void>();
      const consumption = await start(doomed, crashes + 1, (message) => {
        if (!message.msgId.startsWith('poison')) {
          handled.add(message.msgId);
          return;
        }
        crashes++;
        crash();
        return new Promise(() => {});
      });
      await Promise.race([crashed, until(async () => (await dead.list()).length === 1, 'it is dead')]);
      await doomed.nc.close();
      await consumption.closed;
    }
    return { handled, crashes };
  }

  it('is found among those beside it, and dead after three crashes', async () => {
    const { config } = await bus.jsm.consumers.info('EVENTS', DURABLE);
    await bus.jsm.consumers.update('EVENTS', DURABLE, { ...config, ack_wait: 300e6 });
    const messages = ['fine-1', 'poison', 'fine-2'].map((id) => event(`runtime.plan.requested.ws.${id}`, id));
    await new OrderedPublisher(bus).publishAll(messages);
    const { handled, crashes } = await liveAndDie((doomed, _life, handler) =>
      consume(doomed, { stream: 'EVENTS', durable: DURABLE, concurrency: 3, handler }),
    );
    expect([crashes, [...handled].sort()]).toEqual([3, ['fine-1', 'fine-2']]);
    expect((await dead.list()).map(({ problem, subject }) => `${problem.code} ${subject}`)).toEqual([
      'delivery_crashed runtime.plan.requested.ws.poison',
    ]);
  });

  it('is set aside, too, when the process also ends each time it would tell those who wait for it', async () => {
    const { config } = await bus.jsm.consumers.info('EVENTS', DURABLE);
    await bus.jsm.consumers.update('EVENTS', DURABLE, { ...config, ack_wait: 300e6 });
    const messages = ['fine-1', 'poison', 'fine-2'].map((id) => event(`runtime.plan.requested.ws.${id}`, id));
    await new OrderedPublisher(bus).publishAll(messages);
    const { handled, crashes } = await liveAndDie((doomed, _life, handler) =>
      consume(doomed, { stream: 'EVENTS', durable: DURABLE, concurrency: 3, handler, onDead: handler }),
    );
    expect([crashes, [...handled].sort()]).toEqual([5, ['fine-1', 'fine-2']]);
    expect((await dead.list()).map(({ problem, subject }) => `${problem.code} ${subject}`)).toEqual([
      'delivery_crashed runtime.plan.requested.ws.poison',
    ]);
  });

  it('is not found where its handler puts on record what it does, however often others end the process', async () => {
    const { config } = await bus.jsm.consumers.info('EVENTS', DURABLE);
    await bus.jsm.consumers.update('EVENTS', DURABLE, { ...config, ack_wait: 300e6 });
    await new OrderedPublisher(bus).publishAll([event('runtime.plan.requested.ws.long', 'long')]);
    for (let life = 1; life <= 5; life += 1) {
      const doomed = await fixture.connect('doomed');
      const { promise: recorded, resolve } = Promise.withResolvers<void>();
      const consumption = await consume(doomed, {
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
      await doomed.nc.close();
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

  it('is not given, once it is under suspicion, to a process that has only just started', async () => {
    const { config } = await bus.jsm.consumers.info('EVENTS', DURABLE);
    await bus.jsm.consumers.update('EVENTS', DURABLE, { ...config, ack_wait: 300e6 });
    await new OrderedPublisher(bus).publishAll([event('runtime.plan.requested.ws.first', 'first')]);
    /** From its start until the message is handled. */
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
    for (let life = 1; life <= 3; life += 1) ages.push(await age(await fixture.connect('doomed')));
    expect(ages.at(-1)).toBeGreaterThan(1_900);
  });

  it('leaves no mark behind, though the link was lost when it was handled', async () => {
    const { config } = await bus.jsm.consumers.info('EVENTS', DURABLE);
    await bus.jsm.consumers.update('EVENTS', DURABLE, { ...config, ack_wait: 300e6 });
    await new OrderedPublisher(bus).publishAll([event('runtime.plan.requested.ws.marked', 'marked')]);
    const take = (on: Bus, handler: ConsumeOptions['handler']) =>
      consume(on, { stream: 'EVENTS', durable: DURABLE, concurrency: 1, handler });
    const doomed = await fixture.connect('doomed');
    const taken = Promise.withResolvers<void>();
    const first = await take(doomed, () => {
      taken.resolve();
      return new Promise(() => {});
    });
    await taken.promise;
    await doomed.nc.close();
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

  it('is found in an inbox, too, though each owner begins with a consumer of its own', async () => {
    const messages = ['fine-1', 'poison', 'fine-2'].map((id) => event(`inbox.1.timer.due.ws.${id}.effect`, id));
    await new OrderedPublisher(bus).publishAll(messages);
    const { handled, crashes } = await liveAndDie((doomed, life, handler) =>
      consumeInbox(doomed, {
        lease: { partition: 1, epoch: life, valid: true, signal: new AbortController().signal },
        leases: { verify: async () => true },
        concurrency: 3,
        handler,
      }),
    );
    expect([crashes, [...handled].sort()]).toEqual([3, ['fine-1', 'fine-2']]);
    expect((await dead.list()).map(({ problem, subject }) => `${problem.code} ${subject}`)).toEqual([
      'delivery_crashed inbox.1.timer.due.ws.poison.effect',
    ]);
  });
});
