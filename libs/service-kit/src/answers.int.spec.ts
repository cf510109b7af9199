import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  type Bus,
  connectBus,
  consume,
  DeadLetters,
  lastMessageOn,
  OrderedPublisher,
  provision,
  workerDurable,
} from '@reins/bus';
import { parseEvent, ReinsError, replySubject, replyTemplate } from '@reins/contracts';
import { startNats, type TestNats, until } from '@reins/testing';
import { answerDeadLetters } from './answers.ts';

const TYPE = 'runtime.prepare.requested';
const reply = replyTemplate({ workspaceId: 'w', runId: 'r' }, 'effect');
const request = {
  type: TYPE,
  requestId: 'r',
  sessionId: 's',
  agentId: 'main',
  workspaceId: 'w',
  effectId: 'effect',
  attempt: 2,
  stage: 'execute',
  runtimeId: 'echo',
  planRef: { sha256: 'a'.repeat(64), size: 1 },
  iteration: 1,
  input: {},
  tree: 'b'.repeat(64),
};

const answerDead = answerDeadLetters('runtime.prepare.failed', (error) => ({ error }));

let nats: TestNats;
let bus: Bus;

beforeAll(async () => {
  nats = await startNats();
  bus = await connectBus({ servers: nats.url, name: 'test' });
  await provision(bus, { managed: 'self', partitions: 16, replicas: 1, runtimeIds: [] });
});

afterAll(async () => {
  await bus.close();
  await nats.stop();
});

test('answers a dead-lettered request with a failure, and an invalid message not at all', async () => {
  const consumption = await consume(bus, {
    stream: 'EVENTS',
    durable: workerDurable(TYPE),
    concurrency: 4,
    handler: () => {
      throw new ReinsError({ code: 'plan_rejected', message: 'never', path: 'input', hint: 'fix it' });
    },
    onDead: (message, problem) => answerDead(bus, message, problem),
  });
  const publisher = new OrderedPublisher(bus);
  const send = (id: string, body: unknown) => ({
    subject: `${TYPE}.w.r`,
    data: new TextEncoder().encode(JSON.stringify(body)),
    headers: { id, type: TYPE, source: 'test', time: new Date().toISOString(), reply },
  });
  await publisher.publishAll([send('1', { garbage: true }), send('2', request)]);
  await until(async () => (await new DeadLetters(bus).list()).length === 2, { what: 'two dead letters' });
  const answer = await lastMessageOn(bus, 'INBOX', replySubject(reply, 'runtime.prepare.failed'));
  expect(answer && parseEvent(answer.data)).toMatchObject({
    effectId: 'effect',
    attempt: 2,
    error: { code: 'plan_rejected', message: 'never', path: 'input', hint: 'fix it' },
  });
  expect((await bus.jsm.streams.info('INBOX')).state.messages).toBe(1);
  await publisher.close();
  await consumption.stop();
});

test('answers a request that crashes its worker with a failure after five crashes', async () => {
  const durable = workerDurable(TYPE);
  const { config } = await bus.jsm.consumers.info('EVENTS', durable);
  await bus.jsm.consumers.update('EVENTS', durable, { ...config, ack_wait: 300e6 });
  const reply = replyTemplate({ workspaceId: 'w', runId: 'r' }, 'poison');
  const failed = replySubject(reply, 'runtime.prepare.failed');
  const publisher = new OrderedPublisher(bus);
  const headers = { id: 'poison', type: TYPE, source: 'test', time: new Date().toISOString(), reply };
  const data = new TextEncoder().encode(JSON.stringify({ ...request, effectId: 'poison' }));
  await publisher.publishAll([{ subject: `${TYPE}.w.r`, data, headers }]);
  let crashes = 0;
  const answered = async () => (await lastMessageOn(bus, 'INBOX', failed)) !== undefined;
  while (!(await answered())) {
    const doomed = await connectBus({ servers: nats.url, name: 'doomed' });
    const { promise: crashed, resolve: crash } = Promise.withResolvers<void>();
    const consumption = await consume(doomed, {
      stream: 'EVENTS',
      durable,
      concurrency: 1,
      handler: () => {
        crashes += 1;
        crash();
        return new Promise(() => {});
      },
      onDead: (message, problem) => answerDead(doomed, message, problem),
    });
    await Promise.race([crashed, until(answered, { what: 'an answer' })]);
    // Nothing is acknowledged or returned.
    await doomed.nc.close();
    await consumption.closed;
  }
  const answer = await lastMessageOn(bus, 'INBOX', failed);
  expect(answer && parseEvent(answer.data)).toMatchObject({ effectId: 'poison', error: { code: 'delivery_crashed' } });
  expect(crashes).toBe(5);
  await publisher.close();
});
