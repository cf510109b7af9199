import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Bus, connectBus, consume, DeadLetters, provision, workerDurable } from '@reins/bus';
import { ReinsError } from '@reins/contracts';
import { startNats, type TestNats, until } from '@reins/testing';
import { runProgram } from '../program.ts';

let nats: TestNats;
let bus: Bus;
beforeAll(async () => {
  nats = await startNats();
  bus = await connectBus({ servers: nats.url, name: 'test' });
  await provision(bus, { partitions: 2, replicas: 1, runtimeIds: ['pi'], managed: 'self' });
});
afterAll(async () => {
  await bus.close();
  await nats.stop();
});

async function reins(...args: string[]) {
  let out = '';
  const exit = await runProgram([...args, '--json'], {
    env: {
      REINS_NATS_URL: nats.url,
      REINS_STATE_DIR: '/nonexistent',
      REINS_DATABASE_URL: 'postgres://localhost:1/none',
    },
    out: (text) => {
      out += text;
    },
    err: () => {},
  });
  return { exit, json: JSON.parse(out) };
}

test('a dead letter is sent again, once, and is handled', async () => {
  let mended = false;
  const handled = Promise.withResolvers<unknown>();
  const consumption = await consume(bus, {
    stream: 'EVENTS',
    durable: workerDurable('runtime.plan.requested'),
    concurrency: 1,
    handler: (message) => {
      if (!mended) throw new ReinsError({ code: 'message_invalid', message: 'broken' });
      handled.resolve(message.json());
    },
  });
  await bus.js.publish('runtime.plan.requested.ws.run', '{"a":1}', { msgID: 'first' });
  await until(async () => (await new DeadLetters(bus).list()).length === 1);
  mended = true;
  const { json: letters } = await reins('dead', 'list');
  const seq = String(letters[0].seq);
  expect(await reins('dead', 'redrive', seq)).toMatchObject({ exit: 0, json: { sent: [{ stream: 'EVENTS' }] } });
  expect(await handled.promise).toEqual({ a: 1 });
  expect(await reins('dead', 'redrive', seq)).toMatchObject({
    exit: 1,
    json: { sent: [], errors: [{ code: 'dead_letter_not_found' }] },
  });
  await consumption.stop();
});

test('top shows the queues, and says what it cannot know', async () => {
  await bus.js.publish('runtime.stage.requested.ws.run.pi', '{}', { msgID: 'stage' });
  const { exit, json } = await reins('top', '--once');
  expect(exit).toBe(0);
  expect(json).toMatchObject({ live_runs: null, projector_lag_events: null, dead_letters: 0 });
  expect(json.queues).toContainEqual({
    stream: 'EVENTS',
    name: 'runtime-stage-requested-pi',
    waiting: 1,
    in_work: 0,
    redelivered: 0,
  });
});
