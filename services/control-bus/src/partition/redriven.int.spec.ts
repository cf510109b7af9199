import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Bus, connectBus, DeadLetters, lastMessageOn, OrderedPublisher, provision } from '@reins/bus';
import { type AnyEvent, deadSubject, inboxSubject, journalSubject, parseEvent } from '@reins/contracts';
import type { DefinedTask } from '@reins/replay';
import { startNats, type TestNats, until } from '@reins/testing';
import type { BuiltInProcess } from '../processes/built-in-process.ts';
import { BusOwner, headOf, PARTITIONS, submission } from '../testing/bus-owner.ts';

let nats: TestNats;
let bus: Bus;
let owner: BusOwner;

const twoTasks: BuiltInProcess = {
  id: 'two-tasks',
  codeHash: 'v1',
  run: async (context) => [await context.task(task('first'), null), await context.task(task('second'), null)],
};

const task = (id: string): DefinedTask<null> => ({ id, build: () => ({ kind: 'node' }) });

beforeAll(async () => {
  nats = await startNats();
  bus = await connectBus({ servers: nats.url, name: 'test' });
  await provision(bus, { managed: 'self', partitions: PARTITIONS, replicas: 1, runtimeIds: [] });
  owner = await BusOwner.start(nats.url, () => twoTasks);
});

afterAll(async () => {
  await owner.stop();
  await bus.close();
  await nats.stop();
});

const RUN = headOf('redriven');
const ADDRESS = { workspaceId: RUN.workspaceId, runId: RUN.requestId };
const answer = (effectId: string, text: string) =>
  ({ type: 'command.run.answer', ...RUN, idempotencyKey: text, effectId, answer: text, answeredBy: 'ann' }) as const;

/** The last fact of a type about the run. */
async function last(type: AnyEvent['type']): Promise<AnyEvent | undefined> {
  const message = await lastMessageOn(bus, 'EVENTS', `${type}.ws.${RUN.requestId}`);
  return message && parseEvent(message.data);
}

const asked = (taskId: string): Promise<string> =>
  until(
    async () => {
      const event = await last('runtime.task.requested');
      return event?.type === 'runtime.task.requested' && event.taskId === taskId && event.effectId;
    },
    { what: `the task ${taskId}` },
  );

/** Puts an inbox message into DEAD. */
async function deadLetter(subject: string, body: ReturnType<typeof answer>): Promise<void> {
  const publisher = new OrderedPublisher(bus);
  const headers = { id: body.idempotencyKey, type: body.type, source: 'test', time: new Date().toISOString() };
  const extra = {
    'reins-dead-stream': 'INBOX',
    'reins-dead-consumer': 'inbox',
    'reins-dead-seq': '1',
    'reins-dead-deliveries': '3',
    'reins-dead-problem': '{"code":"delivery_crashed","message":"m"}',
  };
  const data = new TextEncoder().encode(JSON.stringify(body));
  await publisher.publishAll([{ subject: deadSubject('INBOX', subject), data, headers, extra }]);
  await publisher.close();
}

const emptyInbox = () =>
  until(async () => (await bus.jsm.streams.info('INBOX')).state.messages === 0, { what: 'an empty inbox' });

const ends = async () => ({
  journal: (await lastMessageOn(bus, 'JOURNAL', journalSubject(ADDRESS, PARTITIONS)))?.seq,
  log: (await bus.jsm.streams.info('EVENTS')).state.last_seq,
});

/** Puts an answer into DEAD and redrives it. */
async function redriven(body: ReturnType<typeof answer>): Promise<void> {
  const dead = new DeadLetters(bus);
  await deadLetter(inboxSubject({ type: 'command.run.answer', ...ADDRESS }, PARTITIONS), body);
  const [letter] = await dead.list();
  await dead.redrive(letter?.seq ?? 0);
  await emptyInbox();
  expect(await dead.list()).toEqual([]);
}

test('a redriven answer resolves a waiting effect, and changes nothing when the effect is resolved', async () => {
  await owner.send(submission(RUN.requestId, { process: 'two-tasks' }));
  const effectId = await asked('first');
  await redriven(answer(effectId, 'in time'));
  const second = await asked('second');
  // All facts are published when the inbox is empty.
  await emptyInbox();
  const before = await ends();

  await redriven(answer(effectId, 'too late'));
  expect(await ends()).toEqual(before);

  await owner.send(answer(second, 'too'));
  const completed = await until(() => last('runtime.request.completed'), { what: 'the end of the run' });
  expect(completed).toMatchObject({ output: ['in time', 'too'] });
});
