import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject } from '@reins/contracts';
import { runProgram } from '../program.ts';

const UNTIL = '2026-01-02T00:00:00.000Z';
const AT = { workspaceId: 'ws', sessionId: 's', status: 'waiting', stages: [] };

const SHIP = { kind: 'breakpoint', label: 'Ship', detail: { payload: { question: 'Ship it?' } } };

/** The API responses for these requests. */
const REQUESTS: Readonly<Record<string, JsonObject>> = {
  broken: { ...AT, waiting: { reason: 'operator', effectId: 'broken', expiresAt: UNTIL } },
  asks: { ...AT, waiting: { reason: 'user', effectId: 'ef_1', question: { text: 'blue?' }, questionNumber: 2 } },
  ships: {
    ...AT,
    waiting: { reason: 'breakpoint', effectId: 'ef_2', expiresAt: UNTIL },
    approvals: [{ approvalId: 'ef_2', status: 'requested', subject: SHIP }],
  },
  releases: {
    ...AT,
    waiting: { reason: 'child', effectId: 'ef_5', message: 'child run run_1' },
    waits: [
      { requestId: 'releases', reason: 'task', effectId: 'ef_6', since: UNTIL, message: 'unit tests' },
      { requestId: 'releases', reason: 'child', effectId: 'ef_5', since: UNTIL, message: 'child run run_1' },
      {
        requestId: 'run_1',
        reason: 'breakpoint',
        effectId: 'ef_7',
        since: UNTIL,
        message: 'Ship it?',
        question: { question: 'Ship it?', failed: ['licences'], notes: Array(40).fill('x') },
      },
    ],
    stages: [{ requestId: 'run_1', effectId: 'e', stage: 'execute', runtimeId: 'pi', attempt: 1, status: 'running' }],
  },
  buggy: {
    ...AT,
    waiting: {
      reason: 'operator',
      effectId: 'buggy',
      message: 'process/main.ts:2:3: ctx.breakpont is not a function',
      process: 'process/main.ts#process',
      error: {
        code: 'process_failed',
        message: 'x',
        stack: 'f (process/main.ts:2:3)',
        hint: 'Did you mean breakpoint?',
      },
    },
  },
  lost: {
    ...AT,
    status: 'failed',
    error: { code: 'model_unavailable', message: 'no answer', hint: 'Try later.' },
    stages: [1, 2].map((attempt) => ({
      requestId: 'lost',
      effectId: 'ef_8',
      stage: 'execute',
      runtimeId: 'pi',
      attempt,
      status: 'failed',
      error:
        attempt === 1
          ? { code: 'model_unavailable', message: 'too many requests' }
          : { code: 'model_unavailable', message: 'no answer', hint: 'Try later.' },
    })),
  },
  silent: {
    ...AT,
    status: 'running',
    stages: [
      {
        requestId: 'silent',
        effectId: 'ef_9',
        stage: 'execute',
        runtimeId: 'pi',
        attempt: 1,
        status: 'running',
        progress: 'waits for a model call to p/m, no response for 10 s; the attempt ends at 10:00:00 UTC',
      },
    ],
  },
  queued: {
    ...AT,
    status: 'running',
    stages: [
      {
        requestId: 'queued',
        effectId: 'ef_4',
        stage: 'execute',
        runtimeId: 'pi',
        attempt: 1,
        status: 'requested',
        queue: { position: 3, estimatedWaitMs: 40_000 },
      },
    ],
  },
  again: { ...AT, status: 'failed', retryOf: 'first', retriedBy: ['second', 'third'] },
  sick: { ...AT, status: 'running', parked: { code: 'bus_stream_full', message: 'EVENTS is full', since: UNTIL } },
  stopped: { ...AT, status: 'cancelled', cancelReason: 'not now', cancelledBy: 'ann (team)' },
  decided: {
    ...AT,
    status: 'running',
    approvals: [
      { approvalId: 'ef_2', status: 'denied', subject: SHIP, decidedBy: 'ann (team)', comment: 'not on a friday' },
      { approvalId: 'ef_3', status: 'expired', subject: { kind: 'tool', toolId: 'deploy' }, decidedBy: '' },
      { approvalId: 'ef_4', status: 'requested', subject: SHIP },
    ],
  },
  paused: {
    ...AT,
    waiting: { reason: 'operator', effectId: 'paused', message: 'lunch', pausedBy: 'ann' },
  },
  halted: {
    ...AT,
    ...{ status: 'completed', halted: true, haltReason: 'good enough', haltedBy: 'bob' },
    keptSignals: [{ name: 'payed', count: 2, since: UNTIL }],
    ...{ startedAt: UNTIL, inputLine: 'Write it', input: 'Write it\nnow' },
  },
  repeats: {
    ...AT,
    status: 'failed',
    error: { code: 'harness_output_invalid', message: 'it is not JSON' },
    stages: [1, 2].map((attempt) => ({
      ...{ requestId: 'repeats', effectId: 'ef_8', stage: 'evaluate', runtimeId: 'pi', attempt, status: 'failed' },
      error: { code: 'harness_output_invalid', message: 'it is not JSON' },
    })),
  },
  degraded: {
    ...AT,
    status: 'completed',
    unavailableServers: [
      { serverId: 'alerts', reason: 'exited (code 3): no config', missingToolIds: [] },
      { serverId: 'memory', reason: 'it offers: read_graph', missingToolIds: ['memory.read_graf'] },
    ],
  },
  unlabelled: {
    ...AT,
    status: 'running',
    approvals: [
      {
        approvalId: 'ef_2',
        status: 'denied',
        subject: { kind: 'breakpoint', label: 'breakpoint', detail: { payload: { question: 'Go on?' } } },
        decidedBy: 'ann',
      },
    ],
  },
  talks: { ...AT, input: { text: 'x'.repeat(300) } },
  sleeps: {
    ...AT,
    waiting: { reason: 'timer', effectId: 'ef_3', expiresAt: UNTIL },
    usage: { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 },
  },
  fork: {
    ...AT,
    stages: ['interview', 'execute'].map((stage) => ({
      ...{ requestId: 'fork', effectId: stage, stage, runtimeId: 'pi', attempt: 1, status: 'completed' },
      ...(stage === 'interview' ? { sharedFrom: 'first' } : { durationMs: 1000 }),
    })),
  },
  unpriced: { ...AT, usage: { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, source: 'unknown' } },
  treeless: { ...AT, status: 'completed', output: 7 },
  priced: { ...AT, usage: { inputTokens: 9, cachedInputTokens: 0, outputTokens: 1, source: 'reported', costUsd: 0.5 } },
};

const fact = (seq: number, version: number, type: string, body: JsonObject): JsonObject => ({
  seq,
  id: `e${seq}`,
  type,
  time: UNTIL,
  version,
  body,
});
const PAGES: readonly JsonObject[][] = [
  [
    fact(1, 2, 'runtime.request.waiting', { reason: 'operator', effectId: 'broken' }),
    fact(2, 2, 'control.directive.emitted', { directive: 'wait', reason: 'lunch' }),
    fact(3, 3, 'control.directive.emitted', { directive: 'continue', reason: 'an operator resumed the run' }),
  ],
  [
    fact(4, 4, 'runtime.request.waiting', { reason: 'timer', effectId: 'ef_3' }),
    fact(5, 4, 'control.directive.emitted', { directive: 'wait', reason: 'waiting for timer' }),
    fact(6, 5, 'runtime.request.waiting', { reason: 'operator', effectId: 'broken' }),
    { ...fact(7, 5, 'control.directive.emitted', { directive: 'wait', reason: 'it broke' }) },
    fact(8, 6, 'runtime.request.waiting', { reason: 'operator', effectId: 'broken' }),
    fact(9, 7, 'control.directive.emitted', { directive: 'wait', reason: 'waiting for timer' }),
  ],
];

let server: Server;
beforeAll(async () => {
  server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(String(request.url), 'http://localhost');
    const [, , , , requestId = '', what] = pathname.split('/');
    if (what === 'changes' && requestId === 'treeless') {
      const problem = { code: 'tree_not_found', title: 'no tree', status: 404, detail: 'the request has no tree yet' };
      return response.writeHead(404, { 'content-type': 'application/problem+json' }).end(JSON.stringify(problem));
    }
    if (what === 'changes') return response.end(JSON.stringify({ files: [] }));
    if (what !== 'events') return response.end(JSON.stringify({ requestId, ...REQUESTS[requestId] }));
    const page = Number(searchParams.get('after'));
    return response.end(JSON.stringify({ events: PAGES[page], next: page + 1, more: page + 1 < PAGES.length }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  server.close();
});

async function show(...args: string[]): Promise<string> {
  let out = '';
  const env = { REINS_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  const take = (more: string) => {
    out += more;
  };
  expect(await runProgram(['requests', 'show', ...args], { env, out: take, err: () => {} })).toBe(0);
  return out;
}

test.each([
  ['broken', `waiting for operator until ${UNTIL}: it broke`, { message: 'it broke' }],
  ['asks', 'waiting for user (ef_1): blue?', { question: { text: 'blue?' } }],
  ['ships', `waiting for breakpoint (ef_2) until ${UNTIL}: Ship it?`, { question: { question: 'Ship it?' } }],
  ['sleeps', `waiting for timer (ef_3) until ${UNTIL}`, {}],
  ['asks', "  reins requests answer asks ef_1 '<answer>' --question 2", {}],
])('shows what a waiting request (%s) waits for', async (requestId, line, more) => {
  expect((await show(requestId)).split('\n')).toContain(line);
  const { waiting } = JSON.parse(await show(requestId, '--json'));
  expect(waiting).toEqual({ ...(REQUESTS[requestId]?.waiting as JsonObject), ...more });
});

test('shows a child run without stages, which has no tree', async () => {
  expect(JSON.parse(await show('treeless', '--json'))).toMatchObject({ status: 'completed', output: 7, files: [] });
});

test('shows everything that a request and its child runs wait for, with data and commands, and what works', async () => {
  const lines = (await show('releases')).trimEnd().split('\n');
  const from = lines.indexOf('files changed: none');
  expect(lines.slice(from + 2, from + 7)).toEqual([
    'stage execute runs on pi',
    'waiting for child run run_1 (ef_5)',
    'waiting for task (ef_6): unit tests',
    "  reins requests answer releases ef_6 '<JSON>'",
    'waiting for breakpoint (ef_7 of child run run_1): Ship it?',
  ]);
  expect(lines.slice(from + 7, from + 10)).toEqual(['    "failed": [', '      "licences"', '    ],']);
  expect(lines.slice(-3)).toEqual([
    '    … show all data: reins approvals show run_1 ef_7',
    '  reins approvals approve run_1 ef_7',
    "  reins approvals deny run_1 ef_7 --comment '<why>'",
  ]);
  const { waits } = JSON.parse(await show('releases', '--json'));
  expect(waits).toEqual(REQUESTS.releases?.waits);
});

test('a request whose process has a bug shows the command that gives it corrected code', async () => {
  expect((await show('buggy')).trimEnd().split('\n').slice(-5)).toEqual([
    'waiting for operator: process/main.ts:2:3: ctx.breakpont is not a function',
    '    at f (process/main.ts:2:3)',
    '    Did you mean breakpoint?',
    '  reins requests assign buggy <dir> --process process/main.ts#process # with the corrected code',
    '  reins requests resume buggy # with the same code',
  ]);
});

test.each([
  ['sleeps', undefined],
  ['unpriced', 'unknown'],
  ['priced', 0.5],
])('the cost of %s is %p: none before a call, unknown without a price', async (requestId, costUsd) => {
  expect(JSON.parse(await show(requestId, '--json')).usage.costUsd).toBe(costUsd);
});

test('marks the stages that a fork shares, without a duration', async () => {
  const rows = (await show('fork')).split('\n').filter((line) => /^(stage|interview|execute) /.test(line));
  expect(rows.map((row) => row.trim().split(/\s+/).slice(4).join(' '))).toEqual([
    'status shared_from iteration duration',
    'first 1 -',
    '1 1.0 s',
  ]);
  const { stages } = JSON.parse(await show('fork', '--json'));
  expect(stages[0]).toMatchObject({ shared_from: 'first' });
  expect(stages[0]).not.toHaveProperty('duration_ms');
  expect(stages[1]).not.toHaveProperty('shared_from');
});

test('a request without stages has no table of stages', async () => {
  expect(await show('sleeps')).not.toContain('runtime_id');
});

test('shows why a request is parked, and the command that retries its messages', async () => {
  const text = await show('sick');
  expect(text).toContain(`running\nparked since ${UNTIL}: bus_stream_full: EVENTS is full\n`);
  expect(text).toContain('reins requests unpark sick');
  expect(JSON.parse(await show('sick', '--json'))).toMatchObject({ parked: { code: 'bus_stream_full', since: UNTIL } });
});

test('shows that a stage waits for a model call without a response, and when its attempt ends', async () => {
  expect(await show('silent')).toContain(
    'stage execute runs on pi; it waits for a model call to p/m, no response for 10 s; the attempt ends at 10:00:00 UTC',
  );
});

test('shows the position and the estimate of a stage that waits for a host', async () => {
  expect(await show('queued')).toContain('position 3, about 40 s');
  const { stages } = JSON.parse(await show('queued', '--json'));
  expect(stages).toEqual([expect.objectContaining({ queue_position: 3, queue_estimate_ms: 40_000 })]);
});

test('shows what a request retries, and the requests that retry it', async () => {
  const lines = (await show('again')).split('\n');
  expect(lines).toContain('retry of first');
  expect(lines).toContain('retried by second, third');
  expect(JSON.parse(await show('again', '--json'))).toMatchObject({ retryOf: 'first', retriedBy: ['second', 'third'] });
});

test('shows the error of every attempt, and that of the request with its hint', async () => {
  const lines = (await show('lost')).split('\n');
  expect(lines.filter((line) => line.includes('failed:') || line.includes('Try'))).toEqual([
    'execute 1 failed: model_unavailable: too many requests',
    'execute 1, attempt 2 failed: model_unavailable: no answer',
    'failed: model_unavailable: no answer',
    '  Try later.',
  ]);
});

test('shows an error that every attempt repeats once, with the attempts', async () => {
  const lines = (await show('repeats')).split('\n');
  expect(lines.filter((line) => line.includes('failed:'))).toEqual([
    'evaluate 1, attempts 1, 2 failed: harness_output_invalid: it is not JSON',
    'failed: harness_output_invalid: it is not JSON',
  ]);
});

test('starts with the input, the workspace, the session, the start and the status', async () => {
  expect((await show('halted')).split('\n').slice(0, 7)).toEqual([
    'request    halted',
    'input      Write it',
    'workspace  ws',
    'session    s',
    `started    ${UNTIL}`,
    'status     halted',
    '',
  ]);
  expect(JSON.parse(await show('halted', '--json'))).toMatchObject({ input: 'Write it\nnow', inputLine: 'Write it' });
});

test('a long input without a first line of its own is shortened', async () => {
  expect((await show('talks')).split('\n')[1]).toBe(`input      ${'x'.repeat(199)}…`);
});

test('names who decided, with the comment', async () => {
  const lines = (await show('decided')).split('\n');
  const from = lines.indexOf('files changed: none') + 1;
  expect(lines.slice(from, from + 3)).toEqual(['Ship: denied by ann (team): not on a friday', 'deploy: expired', '']);
  const { approvals } = JSON.parse(await show('decided', '--json'));
  expect(approvals[0]).toEqual({
    ...{ approvalId: 'ef_2', label: 'Ship', status: 'denied', decidedBy: 'ann (team)', comment: 'not on a friday' },
  });
});

test('a decision about a breakpoint without a label has its question', async () => {
  expect(await show('unlabelled')).toContain('\nGo on?: denied by ann\n');
});

test('names the servers that the stages ran without', async () => {
  expect(await show('degraded')).toContain(
    '\nunavailable: alerts: exited (code 3): no config\nunavailable: memory (memory.read_graf): it offers: read_graph\n',
  );
});

test('names who paused a request and why', async () => {
  expect(await show('paused')).toContain('\nwaiting for operator (paused by ann): lunch\n');
});

test('names who ended a request and why, and the signals that nothing waited for', async () => {
  expect((await show('stopped')).trimEnd().split('\n').at(-1)).toBe('cancelled by ann (team): not now');
  const halted = await show('halted');
  expect(halted).toContain('\nhalted by bob: good enough\n');
  expect(halted).toMatch(/\nnothing waited for signal payed when it arrived \(\d\d:\d\d:\d\d, 2 times\)\n/);
  expect(JSON.parse(await show('halted', '--json')).keptSignals).toEqual(REQUESTS.halted?.keptSignals);
});
