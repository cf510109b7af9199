import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Bus, connectBus, DeadLetters, OrderedPublisher, provision } from '@reins/bus';
import { type AnyEvent, type CommandRunSubmit, isObject, type JsonValue } from '@reins/contracts';
import { startNats, type TestNats, until } from '@reins/testing';
import type { BuiltInProcess } from '../processes/built-in-process.ts';
import { MAX_EARLY_SIGNALS } from '../run/decide/commands.ts';
import { BusOwner, headOf, messageOf, PARTITIONS, processesOf, submission } from '../testing/bus-owner.ts';

let nats: TestNats;
let bus: Bus;
let owner: BusOwner;

/** Processes by what they do. */
const PROCESSES: Readonly<Record<string, BuiltInProcess['run']>> = {
  sleeper: async (context, { inputs }) => {
    await context.sleepUntil(String(inputs.input));
    return 'woken';
  },
  waiter: (context) => context.signal('go'),
  collector: async (context, { inputs }) => {
    await context.signal('begin');
    const taken: JsonValue[] = [];
    while (taken.length < Number(inputs.input)) taken.push(await context.signal('go'));
    return taken;
  },
  parent: async (context) => context.parallel.map(['waiter', 'counter'], (child) => context.child(child, 3)),
  counter: async (context, { inputs }) => {
    let sum = 0;
    for (let n = 0; n < Number(inputs.input); n += 1) sum += (await context.step('large', () => large(n))).length;
    return sum;
  },
};

const large = (n: number): string => String(n % 10).repeat(100_000);

const processOf = processesOf(PROCESSES);

beforeAll(async () => {
  nats = await startNats();
  bus = await connectBus({ servers: nats.url, name: 'test' });
  await provision(bus, { managed: 'self', partitions: PARTITIONS, replicas: 1, runtimeIds: [] });
  owner = await BusOwner.start(nats.url, processOf, { inMemoryMs: 20 });
});

afterAll(async () => {
  await owner.stop();
  await bus.close();
  await nats.stop();
});

const submit = (requestId: string, process: string, input: JsonValue = null): CommandRunSubmit =>
  submission(requestId, { process, input });

/** Resolves with the next event of the type from each of these runs. */
function eventsOf(type: string, requestIds: readonly string[]): Promise<AnyEvent[]> {
  const wanted = new Set(requestIds);
  const found: AnyEvent[] = [];
  const { promise, resolve } = Promise.withResolvers<AnyEvent[]>();
  const subscription = bus.nc.subscribe(`${type}.ws.*`, {
    callback: (_, message) => {
      const event = message.json<AnyEvent>();
      if (!wanted.delete(event.requestId)) return;
      found.push(event);
      if (wanted.size > 0) return;
      subscription.unsubscribe();
      resolve(found);
    },
  });
  return promise;
}

const outputs = (events: readonly AnyEvent[]): unknown[] =>
  events.map((event) => (isObject(event) ? event.output : undefined));

const idle = async (): Promise<void> => {
  const until = Date.now() + 60_000;
  while ((owner.runs > 0 || (await hasMail())) && Date.now() < until)
    await new Promise((resolve) => setTimeout(resolve, 5));
  expect(owner.runs).toBe(0);
};

/** An unacknowledged message would make the next owner load its run. */
async function hasMail(): Promise<boolean> {
  const { state } = await bus.jsm.streams.info('INBOX', { subjects_filter: 'inbox.>' });
  return Object.keys(state.subjects ?? {}).length > 0;
}

describe('runs over a real bus', () => {
  test('are not in memory while they sleep', async () => {
    const ids = Array.from({ length: 200 }, (_, n) => `sleep-${n}`);
    const asleep = eventsOf('runtime.request.waiting', ids);
    const until = new Date(Date.now() + 3_600_000).toISOString();
    await owner.send(...ids.map((id) => submit(id, 'sleeper', until)));
    await asleep;
    await idle();
    await owner.stop();
    owner = await BusOwner.start(nats.url, processOf, { inMemoryMs: 20 });
    expect(owner.runs).toBe(0);
  });

  test('leave no timer in the stream when they end early', async () => {
    const timers = async (): Promise<string[]> => {
      const { state } = await bus.jsm.streams.info('INBOX', { subjects_filter: 'schedule.>' });
      return Object.keys(state.subjects ?? {}).filter((subject) => subject.includes('.cut-short.'));
    };
    const asleep = eventsOf('runtime.request.waiting', ['cut-short']);
    await owner.send(submit('cut-short', 'sleeper', new Date(Date.now() + 3_600_000).toISOString()));
    await asleep;
    await until(async () => (await timers()).length === 1);
    const head = headOf('cut-short');
    await owner.send({ type: 'command.run.cancel', ...head, idempotencyKey: 'c' });
    await until(async () => (await timers()).length === 0);
  });

  test('wake up when their sleep is over', async () => {
    const ids = Array.from({ length: 20 }, (_, n) => `nap-${n}`);
    const woken = eventsOf('runtime.request.completed', ids);
    const until = new Date(Date.now() + 1_500).toISOString();
    await owner.send(...ids.map((id) => submit(id, 'sleeper', until)));
    expect(new Set(outputs(await woken))).toEqual(new Set(['woken']));
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(until));
  });

  test('continue to wait for a signal with their next owner', async () => {
    const waiting = eventsOf('runtime.request.waiting', ['signal-1']);
    await owner.send(submit('signal-1', 'waiter'));
    await waiting;
    await owner.stop();
    owner = await BusOwner.start(nats.url, processOf, { inMemoryMs: 20 });
    const done = eventsOf('runtime.request.completed', ['signal-1']);
    const head = headOf('signal-1');
    await owner.send({ type: 'command.signal', ...head, idempotencyKey: 's', name: 'go', payload: 7 });
    expect(outputs(await done)).toEqual([7]);
  });

  test('take a signal that arrives before the submission, as after a redelivery', async () => {
    await owner.stop();
    const publisher = new OrderedPublisher(bus);
    const signal = { type: 'command.signal', ...headOf('early'), idempotencyKey: 's', name: 'go', payload: 7 } as const;
    await publisher.publishAll([messageOf(signal), messageOf(submit('early', 'waiter'))]);
    await publisher.close();
    const done = eventsOf('runtime.request.completed', ['early']);
    owner = await BusOwner.start(nats.url, processOf, { inMemoryMs: 20 });
    expect(outputs(await done)).toEqual([7]);
    expect(await new DeadLetters(bus).list()).toEqual([]);
  });

  test('keep signals beyond the maximum outside of the journal, until the process takes signals', async () => {
    const head = headOf('collects');
    const payloads = Array.from({ length: MAX_EARLY_SIGNALS + 40 }, (_, n) => n);
    const signal = (name: string, payload: number) =>
      ({ type: 'command.signal', ...head, idempotencyKey: `${name}-${payload}`, name, payload }) as const;
    const waiting = eventsOf('runtime.request.waiting', ['collects']);
    await owner.send(submit('collects', 'collector', payloads.length));
    await waiting;
    await owner.send(...payloads.map((n) => signal('go', n)));
    const done = eventsOf('runtime.request.completed', ['collects']);
    await owner.send(signal('begin', 0));
    expect(outputs(await done)).toEqual([payloads]);
    expect(await new DeadLetters(bus).list()).toEqual([]);
  });

  test('start child runs with journals of their own, and wait for their answers', async () => {
    const started = eventsOf('runtime.child.started', ['parent-1']);
    const done = eventsOf('runtime.request.completed', ['parent-1']);
    const waits = new Promise<AnyEvent>((resolve) => {
      bus.nc.subscribe('runtime.request.waiting.ws.*', {
        callback: (_, message) => {
          const event = message.json<AnyEvent>();
          if (event.type === 'runtime.request.waiting' && event.reason === 'signal') resolve(event);
        },
      });
    });
    await owner.send(submit('parent-1', 'parent'));
    await started;
    const { requestId, sessionId } = await waits;
    const head = { requestId, sessionId, agentId: 'main', workspaceId: 'ws' };
    await owner.send({ type: 'command.signal', ...head, idempotencyKey: 's', name: 'go', payload: 'child' });
    expect(outputs(await done)).toEqual([['child', 300_000]]);
  });

  test('keep a small journal with a thousand large results, and store each content once', async () => {
    const bytes = async (stream: string): Promise<number> => (await bus.jsm.streams.info(stream)).state.bytes;
    const before = [await bytes('JOURNAL'), await bytes('OBJ_blobs')] as const;
    const done = eventsOf('runtime.request.completed', ['large-1']);
    await owner.send(submit('large-1', 'counter', 1_000));
    expect(outputs(await done)).toEqual([100_000_000]);
    expect((await bytes('JOURNAL')) - before[0]).toBeLessThan(2_000_000);
    expect((await bytes('OBJ_blobs')) - before[1]).toBeLessThan(12 * 100_000);
  });
});
