import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { runProgram } from '../program.ts';

/** The calls that the gateway received. */
const calls: { readonly path: string; readonly body: unknown; readonly key: unknown }[] = [];
const APPROVAL = { approvalId: 'ap1', status: 'pending', subject: { kind: 'breakpoint', label: 'Ship' } };
const NOTES = Array.from({ length: 40 }, (_, n) => `note ${n}`);
const payload = { question: 'Release 1.4.0?', failed: ['licences'], notes: NOTES };
const ASKED = { approvalId: 'ap2', status: 'requested', subject: { kind: 'breakpoint', detail: { payload } } };
const TASK = { effectId: 'ef_1', kind: 'node', taskId: 'build', status: 'pending' };
const LABELLED = { ...TASK, effectId: 'ef_2', label: 'web', definition: { title: 'Build web' } };

let server: Server;
beforeAll(async () => {
  server = createServer(async (request, response) => {
    const body = await text(request);
    if (request.method === 'GET')
      return response.end(JSON.stringify({ requestId: 'r1', approvals: [APPROVAL, ASKED], tasks: [TASK, LABELLED] }));
    if (body.includes('ef_unknown')) {
      const message = 'the request does not wait for ef_unknown';
      return response.writeHead(202).end(JSON.stringify({ requestId: 'r1', status: 'not_pending', message }));
    }
    const key = request.headers['idempotency-key'];
    calls.push({ path: String(request.url).replace('/api/v1/requests/', ''), body: JSON.parse(body), key });
    response.writeHead(202).end(JSON.stringify({ requestId: 'r1', status: 'done' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  server.close();
});
beforeEach(() => {
  calls.length = 0;
});

async function reins(...given: (string | Record<string, string>)[]) {
  const { exit, out } = await reinsWithNotes(...given);
  return { exit, out };
}

async function reinsWithNotes(...given: (string | Record<string, string>)[]) {
  let out = '';
  let err = '';
  const args = given.filter((one) => typeof one === 'string');
  const env = {
    ...given.find((one) => typeof one !== 'string'),
    REINS_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    REINS_API_KEY: 'rk_0a_1',
  };
  const exit = await runProgram(args, {
    env,
    out: (more) => {
      out += more;
    },
    err: (more) => {
      err += more;
    },
  });
  return { exit, out, err };
}

test.each([
  [['requests', 'pause', 'r1', '--reason', 'lunch'], 'r1/pause', { reason: 'lunch' }],
  [['requests', 'resume', 'r1'], 'r1/resume', {}],
  [['requests', 'halt', 'r1'], 'r1/halt', {}],
  [['requests', 'unpark', 'r1'], 'r1/unpark', {}],
  [['requests', 'answer', 'r1', 'ef_1', 'blue'], 'r1/answers', { effectId: 'ef_1', answer: 'blue' }],
  [
    ['requests', 'answer', 'r1', 'ef_1', 'blue', '--question', '2'],
    'r1/answers',
    { effectId: 'ef_1', answer: 'blue', questionNumber: 2 },
  ],
  [
    ['requests', 'answer', 'r1', 'ef_1', '{"approved":true}'],
    'r1/answers',
    { effectId: 'ef_1', answer: { approved: true } },
  ],
  [
    ['requests', 'fail', 'r1', 'ef_1', 'no luck'],
    'r1/tasks/ef_1/answer',
    { error: { code: 'task_failed', message: 'no luck' } },
  ],
  [['requests', 'signal', 'r1', 'go'], 'r1/signals', { name: 'go' }],
  [['requests', 'signal', 'r1', 'go', '7'], 'r1/signals', { name: 'go', payload: 7 }],
  [['requests', 'invalidate', 'r1', 'ef_1'], 'r1/effects/ef_1/invalidate', {}],
  [['approvals', 'approve', 'r1', 'ap1'], 'r1/approvals/ap1', { decision: 'approved' }],
  [
    ['approvals', 'deny', 'r1', 'ap1', '--comment', 'friday'],
    'r1/approvals/ap1',
    { decision: 'denied', comment: 'friday' },
  ],
])('%j', async (args, path, body) => {
  expect(await reins(...args, '--json')).toEqual({ exit: 0, out: expect.stringContaining('"status": "done"') });
  expect(calls).toEqual([{ path, body, key: expect.any(String) }]);
});

test.each([
  [[], {}],
  [['--from', 'execute'], { from: 'execute' }],
])('a retry %j is a new request', async (flags, body) => {
  const { exit, out } = await reins('requests', 'retry', 'r0', ...flags, '--json');
  expect([exit, JSON.parse(out)]).toEqual([0, { requestId: 'r1', retryOf: 'r0', status: 'accepted' }]);
  expect(calls).toEqual([{ path: 'r0/retry', body, key: expect.any(String) }]);
});

test('an answer that the request does not wait for fails', async () => {
  expect((await reins('requests', 'answer', 'r1', 'ef_unknown', '1')).exit).toBe(1);
});

test('the number of a question must be a number', async () => {
  expect((await reins('requests', 'answer', 'r1', 'ef_1', 'blue', '--question', 'two')).exit).toBe(2);
  expect(calls).toEqual([]);
});

test('a decision names the person at the command line', async () => {
  await reins('approvals', 'approve', 'r1', 'ap1', { USER: 'ann' });
  expect(calls).toMatchObject([{ body: { decision: 'approved', decidedBy: 'ann' } }]);
});

test('without a name in the environment, a decision names the account', async () => {
  const env = { REINS_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  const args = ['approvals', 'approve', 'r1', 'ap1'];
  await runProgram(args, { env, account: 'ann', out: () => {}, err: () => {} });
  expect(calls).toMatchObject([{ body: { decidedBy: 'ann' } }]);
});

test('a failed task names the person at the command line', async () => {
  await reins('requests', 'fail', 'r1', 'ef_1', 'no luck', { USER: 'ann' });
  expect(calls).toMatchObject([{ body: { error: { message: 'no luck' }, answeredBy: 'ann' } }]);
});

test('approvals list shows the approvals of a request', async () => {
  const { exit, out } = await reins('approvals', 'list', 'r1');
  expect([exit, out]).toEqual([0, expect.stringMatching(/ap1 +pending +Ship/)]);
});

test('approvals list and show print what is to be approved, show all data', async () => {
  const { out: listed } = await reins('approvals', 'list', 'r1');
  expect(listed).toContain('\n\nap2: Release 1.4.0?\n    "failed": [\n      "licences"\n    ],\n');
  expect(listed).toContain('show all data: reins approvals show r1 ap2');
  expect(listed).not.toContain('note 39');
  const { out: shown } = await reins('approvals', 'show', 'r1', 'ap2');
  for (const text of ['Release 1.4.0?', '"licences"', '"note 39"', 'reins approvals approve r1 ap2'])
    expect(shown).toContain(text);
  expect(JSON.parse((await reins('approvals', 'show', 'r1', 'ap2', '--json')).out)).toEqual(ASKED);
  expect((await reins('approvals', 'show', 'r1', 'ap3')).exit).toBe(2);
});

test.each([
  [['requests', 'signal', 'r1', 'go', '{amount: 5}'], { name: 'go', payload: '{amount: 5}' }],
  [['requests', 'answer', 'r1', 'ef_1', '[1'], { effectId: 'ef_1', answer: '[1' }],
])('%j is sent as text, with a warning', async (args, body) => {
  const { exit, err } = await reinsWithNotes(...args);
  expect([exit, err]).toEqual([0, expect.stringContaining('is not JSON, so it is sent as text')]);
  expect(calls).toMatchObject([{ body }]);
});

test('requests tasks shows the tasks of the process', async () => {
  const { exit, out } = await reins('requests', 'tasks', 'r1');
  expect([exit, out]).toEqual([0, expect.stringMatching(/ef_1 +node +build +pending/)]);
  expect(out).toMatch(/ef_2 +node +web +Build web +pending/);
});
