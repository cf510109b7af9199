import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject } from '@reins/contracts';
import { runProgram } from '../program.ts';

const time = '2026-01-31T12:00:00.000Z';
const fact = (version: number, type: string, causation: string, body: JsonObject = {}) => ({
  ...{ seq: version, id: `${version}.${type}`, type, time, version, causation },
  body: { type, requestId: 'r1', ...body },
});
const STAGE = { effectId: 's1', stage: 'execute', runtimeId: 'pi', attempt: 1 };
const requested = '2.runtime.stage.requested';
const child = { effectId: 'c1', childRequestId: 'run_1' };

const QUESTION = { question: 'Ship it?', version: 7, note: 'last one' };

const EVENTS: Readonly<Record<string, readonly JsonObject[]>> = {
  r1: [
    fact(1, 'runtime.request.started', 'r1.submit'),
    fact(2, 'runtime.request.waiting', 'r1.submit', { effectId: 'c1', reason: 'child', message: 'child run run_1' }),
    fact(3, 'runtime.child.completed', `${'ab'.repeat(32)}.parent`, child),
    fact(3, 'runtime.request.resumed', `${'ab'.repeat(32)}.parent`, { effectId: 'c1' }),
    fact(4, 'runtime.request.waiting', `${'ab'.repeat(32)}.parent`, {
      effectId: 's1',
      reason: 'signal',
      signal: 'paid',
    }),
  ],
  asks: [
    fact(1, 'runtime.request.started', 'asks.submit'),
    fact(2, 'runtime.approval.requested', 'asks.submit', {
      ...{ effectId: 'b1', approvalId: 'b1' },
      subject: { detail: { payload: QUESTION } },
    }),
    fact(2, 'runtime.request.waiting', 'asks.submit', { effectId: 'b1', reason: 'breakpoint', message: 'Ship it?' }),
  ],
  stopped: [
    fact(1, 'runtime.request.started', 'stopped.submit'),
    fact(2, 'runtime.child.started', 'stopped.submit', { effectId: 'c2', childRequestId: 'asks' }),
    fact(2, 'runtime.request.waiting', 'stopped.submit', {
      effectId: 'c2',
      reason: 'child',
      message: 'child run asks',
    }),
    fact(3, 'runtime.request.cancelled', 'stopped.command.run.cancel.a', { cancelledBy: 'ann' }),
  ],
  // Facts that were published again after an outage.
  twice: [
    fact(1, 'runtime.request.started', 'twice.submit'),
    fact(2, 'runtime.request.waiting', 'twice.submit', { effectId: 'twice', reason: 'operator', message: 'it broke' }),
    { ...fact(1, 'runtime.request.started', 'twice.command.run.assign.a'), seq: 3 },
    {
      ...fact(2, 'runtime.request.waiting', 'twice.command.run.assign.a', { effectId: 'twice', reason: 'operator' }),
      seq: 4,
    },
    fact(5, 'runtime.request.resumed', 'twice.command.run.assign.a', { effectId: 'twice' }),
    fact(6, 'runtime.request.completed', 'twice.command.run.assign.a'),
  ],
  run_1: [
    fact(1, 'runtime.request.started', 'run_1.submit'),
    fact(2, 'runtime.stage.requested', 'run_1.submit', STAGE),
    fact(3, 'runtime.stage.completed', `${requested}.runtime.stage.completed`, STAGE),
    fact(4, 'runtime.request.completed', `${requested}.runtime.stage.completed`),
  ],
};

/** The waits of requests, as the gateway shows them. A stored question may have another order of its keys. */
const WAITS: Readonly<Record<string, JsonObject>> = {
  r1: { reason: 'signal', effectId: 's1', signal: 'paid' },
  asks: { reason: 'breakpoint', effectId: 'b1', question: { note: 'last one', version: 7, question: 'Ship it?' } },
};

let server: Server;
beforeAll(async () => {
  server = createServer((request, response) => {
    const [, , , , requestId = '', what = ''] = new URL(String(request.url), 'http://localhost').pathname.split('/');
    const waiting = WAITS[requestId] ?? {};
    const bodies: Readonly<Record<string, object>> = {
      events: { events: EVENTS[requestId] ?? [], next: 0, more: false },
      changes: { files: [] },
      'dead-letters': { deadLetters: [] },
    };
    const keptSignals = requestId === 'r1' ? [{ name: 'payed', count: 1, since: time }] : undefined;
    const view = {
      ...(keptSignals && { keptSignals }),
      requestId,
      status: 'waiting',
      stages: [],
      waiting,
      waits: [{ requestId, ...waiting }],
    };
    response.end(JSON.stringify(bodies[what] ?? view));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  server.close();
});

/** Prints the causal chain of a request, with `at` for each clock. */
async function whyLines(...args: string[]): Promise<string[]> {
  let out = '';
  const env = { REINS_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, npm_command: 'exec' };
  const take = (more: string) => {
    out += more;
  };
  expect(await runProgram(['why', ...args], { env, out: take, err: () => {} })).toBe(0);
  return out.split('\n').map((line) => line.replace(/\d\d:\d\d:\d\d/, 'at'));
}

test('the data of an open question appears once; a past wait has its own', async () => {
  const data = (lines: readonly string[]) =>
    lines.filter((line) => /version|note/.test(line)).map((line) => line.trim());
  expect(data(await whyLines('asks'))).toEqual(['"note": "last one",', '"version": 7']);
  expect(data(await whyLines('asks', '2.runtime.request.waiting'))).toEqual(['"version": 7,', '"note": "last one"']);
});

test('the chain has the work of child runs; the commands of open waits come last, as the user types them', async () => {
  expect(await whyLines('r1')).toEqual([
    '          ← the request was submitted',
    'at  waiting  for child run run_1',
    '    at  stage    execute completed',
    '    at  request  completed (0.0 s)',
    'at  child    run run_1 completed',
    'at  waiting  for signal paid',
    '',
    'waiting for signal paid (s1)',
    "  npx reins requests signal r1 paid # or with a payload: '<JSON>'",
    'nothing waited for signal payed when it arrived (at)',
    '',
  ]);
});

test('the chain of a cancelled request has what its child run waited for', async () => {
  const lines = (await whyLines('stopped')).filter((line) => !line.includes('"'));
  expect(lines.slice(0, 5)).toEqual([
    '          ← the request was submitted',
    'at  waiting  for child run asks',
    expect.stringMatching(/^ {4}at {2}waiting {2}for breakpoint: Ship it\?/),
    '          ← ann cancelled the request',
    'at  request  cancelled by ann after 0.0 s',
  ]);
});

test('the chain begins with the submission, also if facts were published again', async () => {
  expect((await whyLines('twice')).slice(0, 3)).toEqual([
    '          ← the request was submitted',
    'at  waiting  for operator: it broke',
    '          ← an operator assigned a process or corrected code',
  ]);
});
