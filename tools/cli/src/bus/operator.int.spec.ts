import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { headers as newHeaders } from '@nats-io/nats-core';
import { type Bus, connectBus, consume, DeadLetters, openBucket, provision, workerDurable } from '@reins/bus';
import { type ParkedRun, ReinsError } from '@reins/contracts';
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

async function command(...args: string[]) {
  let [out, err] = ['', ''];
  const exit = await runProgram(args, {
    env: {
      REINS_NATS_URL: nats.url,
      REINS_STATE_DIR: '/nonexistent',
      REINS_DATABASE_URL: 'postgres://localhost:1/none',
    },
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
  });
  return { exit, out, err };
}

async function reins(...args: string[]) {
  const { exit, out } = await command(...args, '--json');
  return { exit, json: JSON.parse(out) };
}

test('a dead letter is redriven once and handled', async () => {
  let fixed = false;
  const handled = Promise.withResolvers<unknown>();
  const consumption = await consume(bus, {
    stream: 'EVENTS',
    durable: workerDurable('runtime.plan.requested'),
    concurrency: 1,
    handler: (message) => {
      if (!fixed) throw new ReinsError({ code: 'message_invalid', message: 'broken' });
      handled.resolve(message.json());
    },
  });
  await bus.js.publish('runtime.plan.requested.ws.run', '{"a":1}', { msgID: 'first' });
  await until(async () => (await new DeadLetters(bus).list()).length === 1);
  fixed = true;
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

test('a dead letter is discarded, and an unknown one is reported', async () => {
  const headers = newHeaders();
  for (const [name, value] of Object.entries({ stream: 'EVENTS', seq: '1', consumer: 'c', deliveries: '1' }))
    headers.set(`reins-dead-${name}`, value);
  headers.set('reins-dead-problem', '{"code":"message_invalid","message":"broken"}');
  const { seq } = await bus.js.publish('dead.EVENTS.runtime.memory.recall.requested.ws.run', '{}', { headers });
  expect(await reins('dead', 'discard', String(seq), '4711')).toMatchObject({
    exit: 1,
    json: { discarded: [seq], errors: [{ code: 'dead_letter_not_found', path: '4711' }] },
  });
  expect((await reins('dead', 'list')).json).toEqual([]);
});

describe('an unknown dead letter', () => {
  const hint = 'List the dead letters with `reins dead list`.';
  const error = { code: 'dead_letter_not_found', message: 'no such dead letter', path: '4711', hint };

  test('is an error of every command, with the same code and exit code', async () => {
    expect(await reins('dead', 'show', '4711')).toMatchObject({ exit: 1, json: { error, errors: [error] } });
    expect(await reins('dead', 'redrive', '4711')).toMatchObject({
      exit: 1,
      json: { sent: [], error, errors: [error] },
    });
    for (const verb of ['show', 'redrive']) {
      const { exit, out, err } = await command('dead', verb, '4711');
      expect([exit, out]).toEqual([1, '']);
      expect(err).toBe(`dead_letter_not_found at 4711: no such dead letter\n  ${hint}\n`);
    }
  });

  test('is reported, and the others are redriven', async () => {
    const headers = newHeaders();
    for (const [name, value] of Object.entries({ stream: 'EVENTS', consumer: 'c', seq: '1', deliveries: '1' }))
      headers.set(`reins-dead-${name}`, value);
    headers.set('reins-dead-problem', '{"code":"message_invalid","message":"broken"}');
    const { seq } = await bus.js.publish('dead.EVENTS.runtime.memory.recall.requested.ws.run', '{}', { headers });
    expect(await reins('dead', 'redrive', '4711', String(seq))).toMatchObject({
      exit: 1,
      json: { sent: [{ seq, stream: 'EVENTS' }], error, errors: [error] },
    });
    expect((await reins('dead', 'list')).json).toEqual([]);
  });

  test('differs from an invalid number, which is wrong usage', async () => {
    for (const verb of ['show', 'redrive'])
      expect(await reins('dead', verb, 'first')).toMatchObject({ exit: 2, json: { error: { code: 'wrong_usage' } } });
    expect(await reins('dead', 'redrive')).toMatchObject({ exit: 2, json: { error: { code: 'wrong_usage' } } });
  });
});

test('top shows the queues, and null for what is unavailable', async () => {
  await bus.js.publish('runtime.stage.requested.ws.run.pi', '{}', { msgID: 'stage' });
  const { exit, json } = await reins('top', '--once');
  expect(exit).toBe(0);
  expect(json).toMatchObject({ live_runs: null, projector_lag_events: null, dead_letters: 0, parked_requests: [] });
  expect(json.queues).toContainEqual({
    stream: 'EVENTS',
    name: 'runtime-stage-requested-pi',
    waiting: 1,
    in_work: 0,
    redelivered: 0,
  });
});

test('top shows parked requests with the reason, the longest parked first', async () => {
  const parked = await openBucket<ParkedRun>(bus, 'positions');
  const record = { workspaceId: 'ws', code: 'journal_newer', message: 'for a newer version', tries: 3 };
  const since = (minute: number) => `2026-01-01T00:0${minute}:00.000Z`;
  await parked.put('parked.3.ws.late', { ...record, requestId: 'late', since: since(2) });
  await parked.put('parked.0.ws.early', { ...record, requestId: 'early', since: since(1) });
  const { json } = await reins('top', '--once');
  const row = { workspace_id: 'ws', code: 'journal_newer', message: 'for a newer version', tries: 3 };
  expect(json.parked_requests).toEqual([
    { request_id: 'early', since: since(1), ...row },
    { request_id: 'late', since: since(2), ...row },
  ]);
});
