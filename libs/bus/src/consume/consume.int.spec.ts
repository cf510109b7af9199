import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ReinsError } from '@reins/contracts';
import type { Bus } from '../connection/bus.ts';
import { DeadLetters } from '../dead/dead-letters.ts';
import { OrderedPublisher } from '../publish/ordered-publisher.ts';
import { BusFixture, event, until } from '../testing/fixture.ts';
import { consume } from './consume.ts';
import type { BusMessage } from './message.ts';
import type { ConsumeOptions } from './options.ts';

const DURABLE = 'runtime-plan-requested';
const subject = (request: string): string => `runtime.plan.requested.ws.${request}`;

/** Handlers that wait until the test releases them. */
class Gate {
  readonly entered: BusMessage[] = [];
  readonly #open = Promise.withResolvers<void>();

  readonly handler = async (message: BusMessage): Promise<void> => {
    this.entered.push(message);
    await this.#open.promise;
  };

  open(): void {
    this.#open.resolve();
  }
}

describe('consuming', () => {
  let fixture: BusFixture;
  let bus: Bus;
  let publisher: OrderedPublisher;
  beforeEach(async () => {
    fixture = await BusFixture.start();
    bus = await fixture.connect();
    publisher = new OrderedPublisher(bus);
  });
  afterEach(() => fixture.stop());

  const publish = (...requests: string[]) =>
    publisher.publishAll(requests.map((request) => event(subject(request), `id-${request}`, { request })));
  const take = (options: Partial<ConsumeOptions> & Pick<ConsumeOptions, 'handler'>, on = bus) =>
    consume(on, { stream: 'EVENTS', durable: DURABLE, concurrency: 2, ...options });
  /** The consumption does not wait for its acknowledgements, so the test polls. */
  const nothingOutstanding = () =>
    until(async () => {
      const { num_pending, num_ack_pending } = await bus.jsm.consumers.info('EVENTS', DURABLE);
      return num_pending + num_ack_pending === 0;
    }, 'all are acknowledged');

  it('passes messages with body and headers to the handler and acknowledges them', async () => {
    await publish('a');
    const seen: unknown[] = [];
    const consumption = await take({
      handler: (message) => {
        seen.push([message.subject, message.json(), message.event.id, message.deliveries]);
      },
    });
    await nothingOutstanding();
    expect(seen).toEqual([[subject('a'), { request: 'a' }, 'id-a', 1]]);
    await consumption.stop();
  });

  it('requests no more messages than it has free slots, so that other replicas get the rest', async () => {
    const [mine, theirs] = [new Gate(), new Gate()];
    const first = await take({ handler: mine.handler });
    await publish('a', 'b', 'c', 'd', 'e');
    await until(() => mine.entered.length === 2, 'two handlers are running');
    const second = await take({ handler: theirs.handler, concurrency: 8 }, await fixture.connect('other'));
    await until(() => theirs.entered.length === 3, 'the other replica has the rest');
    expect([first.taken, second.taken]).toEqual([2, 3]);
    mine.open();
    theirs.open();
    await Promise.all([first.stop(), second.stop()]);
    await nothingOutstanding();
  });

  it('receives new messages while workers have more than 20,000', async () => {
    const TAKEN = 20_010;
    const gate = new Gate();
    const worker = await take({ handler: gate.handler, concurrency: TAKEN + 1 });
    await publish(...Array.from({ length: TAKEN }, (_, index) => `taken-${index}`));
    await until(() => gate.entered.length === TAKEN, 'all are taken');
    await publish('next');
    await until(() => gate.entered.length > TAKEN, 'the next one is delivered');
    expect(gate.entered.at(-1)?.subject).toBe(subject('next'));
    gate.open();
    await worker.stop();
  });

  it('handles more messages concurrently after a resize', async () => {
    const gate = new Gate();
    const consumption = await take({ handler: gate.handler, concurrency: 1 });
    await publish('a', 'b', 'c');
    await until(() => gate.entered.length === 1, 'one handler is running');
    consumption.resize(3);
    await until(() => gate.entered.length === 3, 'three handlers are running');
    gate.open();
    await consumption.stop();
  });

  it('handles messages with the same key one at a time and in order, also after a failure', async () => {
    const order: string[] = [];
    const busy = new Set<string>();
    let failed = false;
    const consumption = await take({
      concurrency: 16,
      orderBy: (message) => message.subject,
      retry: { delaysMs: [1] },
      handler: async (message) => {
        expect(busy.has(message.subject)).toBe(false);
        busy.add(message.subject);
        await Promise.resolve();
        busy.delete(message.subject);
        if (message.msgId === 'b-1' && !failed) {
          failed = true;
          throw new Error('once');
        }
        order.push(message.msgId);
      },
    });
    const messages = ['a-0', 'b-0', 'a-1', 'b-1', 'b-2', 'a-2'].map((id) => event(subject(id.slice(0, 1)), id));
    await publisher.publishAll(messages);
    await until(() => order.length === 6, 'all are handled');
    const lane = (key: string) => order.filter((id) => id.startsWith(key));
    expect([lane('a'), lane('b')]).toEqual([
      ['a-0', 'a-1', 'a-2'],
      ['b-0', 'b-1', 'b-2'],
    ]);
    await consumption.stop();
  });

  it('holds what does not fit in the queue of its key, so that one key takes one slot', async () => {
    const gate = new Gate();
    const held: string[] = [];
    const idle: string[] = [];
    const others: string[] = [];
    const consumption = await take({
      orderBy: ({ event }) => (event.id.startsWith('id-sick') ? 'sick' : event.id),
      hold: async ({ event }) => void held.push(event.id),
      onIdle: (key) => void idle.push(key),
      handler: (message) => {
        if (message.event.id.startsWith('id-sick')) return gate.handler(message);
        others.push(message.event.id);
      },
    });
    const sick = Array.from({ length: 60 }, (_, index) => `sick-${index}`);
    await publish(...sick, 'well');
    await until(() => others.length === 1 && held.length > 0, 'the other key is handled');
    expect([gate.entered.length, consumption.isBusy('sick'), idle]).toEqual([1, true, ['id-well']]);
    gate.open();
    await nothingOutstanding();
    expect([...gate.entered.map(({ event }) => event.id), ...held]).toEqual(sick.map((id) => `id-${id}`));
    expect([consumption.isBusy('sick'), idle.includes('sick')]).toEqual([false, true]);
    await consumption.stop();
  });

  it('holds a message that keeps failing for a retryable reason, and retries one that cannot be held', async () => {
    const problems: (string | undefined)[] = [];
    let tries = 0;
    const consumption = await take({
      orderBy: () => 'one lane',
      retry: { delaysMs: [1], maxTries: 3 },
      hold: async (_, problem) => void problems.push(problem?.code),
      handler: () => {
        tries += 1;
        throw new ReinsError({ code: 'journal_newer', message: 'for a newer version' });
      },
    });
    await publish('sick');
    // The server may count a message as pending only some time after it confirmed it.
    await until(() => problems.length > 0, 'it is held');
    await nothingOutstanding();
    expect([tries, problems]).toEqual([3, ['journal_newer']]);
    await consumption.stop();
  });

  it('retries a failed message, and calls onDead before it dead-letters it after too many attempts', async () => {
    await publish('bad');
    let tries = 0;
    const notified: unknown[] = [];
    const consumption = await take({
      retry: { delaysMs: [1], maxTries: 3 },
      handler: () => {
        tries++;
        throw new Error('no');
      },
      onDead: (message, problem) => {
        notified.push([message.event.id, problem.code]);
      },
    });
    const dead = new DeadLetters(bus);
    await until(async () => (await dead.list()).length === 1, 'the message is dead-lettered');
    expect([tries, notified]).toEqual([3, [['id-bad', 'delivery_exhausted']]]);
    const [letter] = await dead.list();
    expect(letter).toMatchObject({
      stream: 'EVENTS',
      subject: subject('bad'),
      consumer: DURABLE,
      deliveries: 3,
      problem: { code: 'delivery_exhausted', message: expect.stringContaining('no') },
      headers: { 'ce-id': 'id-bad', 'ce-type': 'runtime.plan.requested' },
    });
    expect(Buffer.from(letter?.data ?? []).toString()).toBe('{"request":"bad"}');
    await nothingOutstanding();
    await consumption.stop();
  });

  it('dead-letters a message with a permanent error immediately, such as an invalid JSON body', async () => {
    await bus.js.publish(subject('garbage'), 'not { json');
    await publish('fine');
    const seen: unknown[] = [];
    const consumption = await take({ handler: (message) => void seen.push(message.json()) });
    const dead = new DeadLetters(bus);
    await until(async () => (await dead.list()).length === 1, 'the message is dead-lettered');
    expect((await dead.list())[0]).toMatchObject({ deliveries: 1, problem: { code: 'message_invalid' } });
    await until(() => seen.length === 1, 'the other one is handled');
    await consumption.stop();
  });

  it('retries without limit while a dependency is unavailable', async () => {
    await publish('patient');
    let tries = 0;
    const consumption = await take({
      retry: { delaysMs: [1], maxTries: 2 },
      handler: () => {
        if (++tries < 6) throw new ReinsError({ code: 'bus_unavailable', message: 'away' });
      },
    });
    await until(() => tries === 6, 'the message is handled');
    await nothingOutstanding();
    expect(await new DeadLetters(bus).list()).toEqual([]);
    await consumption.stop();
  });

  it('takes a bounded part of the backlog while a dependency is unavailable, and all of it afterwards', async () => {
    const BACKLOG = 1_000;
    let away = true;
    let tries = 0;
    const seen = new Set<number>();
    await publish(...Array.from({ length: BACKLOG }, (_, index) => `r${index}`));
    const consumption = await take({
      concurrency: 4,
      retry: { delaysMs: [400] },
      handler: async ({ seq }) => {
        tries += 1;
        if (away) throw new ReinsError({ code: 'service_unavailable', message: 'away' });
        seen.add(seq);
      },
    });
    await until(() => tries >= 150, 'messages are tried again and again');
    expect((await bus.jsm.consumers.info('EVENTS', DURABLE)).num_ack_pending).toBeLessThan(100);
    away = false;
    await until(() => seen.size === BACKLOG, 'all are handled');
    await nothingOutstanding();
    await consumption.stop();
  });

  it('handles other messages at once while a few fail, also with one slot', async () => {
    const seen: string[] = [];
    const failed = new Set<number>();
    const consumption = await take({
      concurrency: 1,
      retry: { delaysMs: [600_000] },
      handler: async ({ event, seq }) => {
        if (!event.id.startsWith('id-sick')) return void seen.push(event.id);
        failed.add(seq);
        throw new ReinsError({ code: 'service_unavailable', message: 'away' });
      },
    });
    await publish('sick-1', 'sick-2', 'a', 'sick-3', 'sick-4', 'sick-5', 'b');
    await until(() => seen.length === 2, 'the others are handled');
    expect([seen, failed.size]).toEqual([['id-a', 'id-b'], 5]);
    await consumption.stop();
  });

  it('extends the ack deadline of a long-running handler', async () => {
    // Long enough for a machine that stalls for a moment; the deadline is extended after half of it.
    const { config } = await bus.jsm.consumers.info('EVENTS', DURABLE);
    await bus.jsm.consumers.update('EVENTS', DURABLE, { ...config, ack_wait: 4_500e6 });
    const words: string[] = [];
    bus.nc.subscribe('$JS.ACK.EVENTS.>', { callback: (_, message) => void words.push(message.string()) });
    await bus.nc.flush();
    const gate = new Gate();
    const consumption = await take({ handler: gate.handler });
    await publish('long');
    await until(() => words.filter((word) => word === '+WPI').length === 3, 'the ack wait has passed');
    expect([gate.entered.length, (await bus.jsm.consumers.info('EVENTS', DURABLE)).num_redelivered]).toEqual([1, 0]);
    gate.open();
    await consumption.stop();
    await nothingOutstanding();
  });

  it('returns unstarted messages on stop, and waits for running handlers', async () => {
    const gate = new Gate();
    const consumption = await take({ handler: gate.handler, concurrency: 3, orderBy: () => 'one lane' });
    await publish('a', 'b', 'c');
    await until(() => consumption.taken === 3, 'all are received');
    const stopping = consumption.stop();
    const rest: string[] = [];
    const other = await take({ handler: (message) => void rest.push(message.msgId) }, await fixture.connect('other'));
    await until(() => rest.length === 2, 'the other replica has them');
    gate.open();
    await stopping;
    expect([gate.entered.length, rest.sort(), await consumption.closed]).toEqual([1, ['id-b', 'id-c'], 'stopped']);
    await other.stop();
    await nothingOutstanding();
  });

  it('aborts handlers that exceed the grace period of a stop, and returns their messages', async () => {
    await publish('stuck');
    let signal: AbortSignal | undefined;
    const consumption = await take({
      handler: (message) => {
        signal = message.signal;
        return new Promise(() => {});
      },
    });
    await until(() => signal !== undefined, 'the handler is running');
    await consumption.stop({ graceMs: 10 });
    expect(signal?.aborted).toBe(true);
    const again: number[] = [];
    const other = await take({ handler: (message) => void again.push(message.deliveries) });
    await until(() => again.length === 1, 'the message is redelivered');
    await other.stop();
  });

  it('ends when its consumer is gone, and does not recreate it', async () => {
    const consumption = await take({ handler: () => {} });
    await until(async () => (await bus.jsm.consumers.info('EVENTS', DURABLE)).num_waiting > 0, 'it waits for messages');
    await bus.jsm.consumers.delete('EVENTS', DURABLE);
    expect(await consumption.closed).toBe('consumer_gone');
    await expect(bus.jsm.consumers.info('EVENTS', DURABLE)).rejects.toThrow('consumer not found');
    await expect(take({ handler: () => {} })).rejects.toMatchObject({ code: 'bus_topology_mismatch' });
  });

  it('continues after the server was killed', async () => {
    const seen = new Set<string>();
    const consumption = await take({ handler: (message) => void seen.add(message.msgId), concurrency: 32 });
    await publish('before');
    await until(() => seen.size === 1, 'the first is handled');
    await fixture.nats.kill();
    await fixture.nats.restart();
    await publish('after');
    await until(() => seen.size === 2, 'the second is handled');
    await consumption.stop();
  });

  it('handles a message once when it is redelivered during its handling', async () => {
    const gate = new Gate();
    const consumption = await take({ handler: gate.handler, concurrency: 4 });
    // Shorter than the heartbeat interval of the consumption, as if some heartbeats were lost.
    const { config } = await bus.jsm.consumers.info('EVENTS', DURABLE);
    await bus.jsm.consumers.update('EVENTS', DURABLE, { ...config, ack_wait: 200e6 });
    await publish('held');
    const redelivered = async () => (await bus.jsm.consumers.info('EVENTS', DURABLE)).num_redelivered > 0;
    await until(redelivered, 'the message is redelivered');
    gate.open();
    await until(() => consumption.taken === 0, 'it is handled');
    await nothingOutstanding();
    expect(gate.entered.length).toBe(1);
    await consumption.stop();
  });
});
