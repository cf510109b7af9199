import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type Bus, connectBus, HeldMessages, OrderedPublisher, provision } from '@reins/bus';
import { type JsonValue, partitionOf } from '@reins/contracts';
import { startNats, type TestNats, until } from '@reins/testing';
import { BusOwner, headOf, PARTITIONS, processesOf, submission } from '../testing/bus-owner.ts';

/** More than a consumer delivers without acknowledgements. */
const FLOOD = 10_100;

/** Processes by what they do. */
const processOf = processesOf({
  waiter: (context) => context.signal('go'),
  collector: async (context, { inputs }) => {
    const taken: JsonValue[] = [];
    while (taken.length < Number(inputs.input)) taken.push(await context.signal('n'));
    return taken;
  },
  quick: (context) => context.step('quick', () => 'done'),
});

let nats: TestNats;
let bus: Bus;
let owner: BusOwner;
beforeEach(async () => {
  nats = await startNats();
  bus = await connectBus({ servers: nats.url, name: 'test' });
  await provision(bus, { managed: 'self', partitions: PARTITIONS, replicas: 1, runtimeIds: [] });
  owner = await BusOwner.start(nats.url, processOf);
});
afterEach(async () => {
  await owner.stop();
  await bus.close();
  await nats.stop();
});

const signal = (requestId: string, sessionId: string, name: string, payload: number) =>
  ({
    type: 'command.signal',
    ...headOf(requestId),
    sessionId,
    idempotencyKey: `${name}-${payload}`,
    name,
    payload,
  }) as const;

/** Resolves with the output of the request. */
async function outputOf(requestId: string): Promise<unknown> {
  return until(async () => {
    const found = await bus.jsm.streams
      .getMessage('EVENTS', { last_by_subj: `runtime.request.completed.ws.${requestId}` })
      .catch(() => null);
    return found ? { output: found.json<{ output: unknown }>().output } : undefined;
  }).then(({ output }) => output);
}

/** A request id in the same partition. */
const neighbourOf = (requestId: string): string => {
  const ids = Array.from({ length: 50 }, (_, n) => `neighbour${n}`);
  return ids.find((id) => partitionOf(id, PARTITIONS) === partitionOf(requestId, PARTITIONS)) as string;
};

const inboxOf = async () => {
  const { state } = await bus.jsm.streams.info('INBOX', { subjects_filter: 'inbox.>' });
  return Object.keys(state.subjects ?? {}).length;
};

describe('held messages', () => {
  test('of a request that waits for its session do not stop its partition, also with very many signals', async () => {
    const session = { sessionId: 'busy' };
    await owner.send(submission('first', { ...session, process: 'waiter' }));
    await owner.send(submission('second', { ...session, process: 'collector', input: 3 }));
    await owner.send(...Array.from({ length: FLOOD }, (_, n) => signal('second', 'busy', 'n', n)));
    const neighbour = neighbourOf('second');
    await owner.send(submission(neighbour, { process: 'quick' }));
    expect(await outputOf(neighbour)).toBe('done');
    await until(async () => (await inboxOf()) === 0);
    await owner.send(signal('first', 'busy', 'go', 0));
    expect(await outputOf('second')).toEqual([0, 1, 2]);
    const held = new HeldMessages(bus, new OrderedPublisher(bus), PARTITIONS);
    const partition = partitionOf('second', PARTITIONS);
    await until(async () => (await held.runs(partition)).length === 0);
  });

  test('are handled in order by the next owner of the partition', async () => {
    const session = { sessionId: 'busy' };
    await owner.send(submission('first', { ...session, process: 'waiter' }));
    await owner.send(submission('second', { ...session, process: 'collector', input: 40 }));
    const payloads = Array.from({ length: 40 }, (_, n) => n);
    await owner.send(...payloads.map((n) => signal('second', 'busy', 'n', n)));
    await until(async () => (await inboxOf()) === 0);
    await owner.kill();
    owner = await BusOwner.start(nats.url, processOf);
    await owner.send(signal('first', 'busy', 'go', 0));
    expect(await outputOf('second')).toEqual(payloads);
  });
});
