import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { runProgram } from '../program.ts';

const AT = { workspaceId: 'ws', sessionId: 's' };
const stage = (requestId: string, runtimeId: string) => ({
  requestId,
  stage: 'execute',
  runtimeId,
  runtimeSource: 'request',
  attempt: 1,
  status: 'completed',
});

/** The API responses by path. */
const RESPONSES: Readonly<Record<string, object>> = {
  '/api/v1/requests': {
    requests: [
      {
        ...AT,
        requestId: 'r1',
        status: 'waiting',
        children: [
          {
            ...AT,
            requestId: 'c1',
            status: 'waiting',
            waiting: { reason: 'task', effectId: 'e', message: 'unit tests' },
            children: [{ ...AT, requestId: 'c2', status: 'running', startedAt: '2026-01-31T12:00:00.000Z' }],
          },
        ],
      },
      {
        ...AT,
        requestId: 'r2',
        status: 'completed',
        startedAt: '2026-01-31T12:00:00.000Z',
        durationMs: 65_000,
        inputLine: 'Write it',
      },
    ],
  },
  '/api/v1/requests/r1': { ...AT, requestId: 'r1', stages: [stage('c1', 'pi'), stage('c2', 'echo')] },
  '/api/v1/requests/r3': {
    ...AT,
    requestId: 'r3',
    stages: [
      {
        ...stage('r3', 'pi'),
        stage: 'evaluate',
        effectId: 'e1',
        verdict: { outcome: 'fail', reasons: ['no closing line'] },
        usage: { inputTokens: 10, cachedInputTokens: 4, outputTokens: 2 },
        requestedAt: '2026-01-31T12:00:00.000Z',
        startedAt: '2026-01-31T12:00:02.000Z',
        durationMs: 3000,
      },
      {
        ...stage('r3', 'pi'),
        stage: 'evaluate',
        effectId: 'e2',
        status: 'failed',
        error: { code: 'harness_failed', message: 'lost' },
      },
    ],
  },
  '/api/v1/requests/r2': { ...AT, requestId: 'r2', stages: [stage('r2', 'pi')] },
};

const AGENT_PROCESS = {
  requestId: 'c1',
  stage: 'execute',
  runtimeId: 'pi',
  attempt: 1,
  state: 'running',
  hostId: 'h1',
};

/** The queries of the lists. */
const lists: string[] = [];
let server: Server;
beforeAll(async () => {
  server = createServer((request, response) => {
    const { pathname, search } = new URL(String(request.url), 'http://localhost');
    if (pathname === '/api/v1/requests') lists.push(search);
    if (search.includes('workspaceId=empty')) return response.end(JSON.stringify({ requests: [] }));
    if (pathname !== '/api/v1/agent-processes') return response.end(JSON.stringify(RESPONSES[pathname]));
    return response.end(JSON.stringify({ agentProcesses: [{ ...AGENT_PROCESS, search }] }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  server.close();
});

async function reins(...args: string[]): Promise<string> {
  let out = '';
  const env = { REINS_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  const take = (more: string) => {
    out += more;
  };
  expect(await runProgram(args, { env, out: take, err: () => {} })).toBe(0);
  return out;
}

test('requests list has child runs below their parent', async () => {
  const [, , ...rows] = (await reins('requests', 'list')).trimEnd().split('\n');
  expect(rows.map((row) => row.split(/ +ws +/)[0])).toEqual(['r1', '  c1', '    c2', 'r2']);
});

test('requests list filters as the API does, and shows times and inputs', async () => {
  const args = ['--workspace', 'ws', '--session', 's', '--status', 'waiting', '--limit', '5'];
  await reins('requests', 'list', ...args);
  expect(lists.at(-1)).toBe('?limit=5&workspaceId=ws&sessionId=s&status=waiting');
  const [header, , , , , last] = (await reins('requests', 'list')).split('\n');
  expect(header).toMatch(/status +startedAt +duration +waiting +inputLine$/);
  expect(last).toMatch(/completed +2026-01-31T12:00:00.000Z +1 min 5 s +Write it$/);
});

test('requests list shows what a request or child run waits for', async () => {
  const [, , , child] = (await reins('requests', 'list')).split('\n');
  expect(child).toMatch(/^ {2}c1 .* waiting .* task: unit tests *$/);
});

test('requests list shows how long an open request has been running, and says when there are none', async () => {
  const [, , , , running] = (await reins('requests', 'list')).split('\n');
  expect(running).toMatch(/c2 .* running +2026-01-31T12:00:00.000Z +\d+ h \d+ min/);
  expect(await reins('requests', 'list', '--workspace', 'empty')).toBe('no requests\n');
});

test('stages shows iterations, times, tokens, an unknown cost, verdicts and errors', async () => {
  const lines = (await reins('stages', 'r3')).split('\n').map((row) => row.split(/ {2,}/));
  expect(lines[0]?.slice(5)).toEqual(['iteration', 'started', 'queue', 'duration', 'in/cached/out', 'cost', 'verdict']);
  expect(lines[2]?.slice(5)).toEqual(['1', expect.any(String), '2.0 s', '3.0 s', '10/4/2', 'unknown', 'fail']);
  expect(lines[3]?.slice(5)).toEqual(['2']);
  expect(lines.slice(5, 7)).toEqual([
    ['evaluate 1: fail: no closing line'],
    ['evaluate 2 failed: harness_failed: lost'],
  ]);
  const [row] = JSON.parse(await reins('stages', 'r3', '--json'));
  expect(row).toMatchObject({ iteration: 1, queue_ms: 2000, duration_ms: 3000, cost_usd: 'unknown' });
});

test('stages names the runs of the stages where a child run has some', async () => {
  expect((await reins('stages', 'r1')).split('\n').map((row) => row.split(/ +/))).toMatchObject([
    ['stage', 'runtime_id', 'runtime_source', 'attempt', 'status', 'request_id'],
    {},
    ['execute', 'pi', 'request', '1', 'completed', 'c1'],
    ['execute', 'echo', 'request', '1', 'completed', 'c2'],
    [''],
  ]);
  expect(await reins('stages', 'r2')).not.toContain('request_id');
  expect(JSON.parse(await reins('stages', 'r1', '--json'))).toMatchObject([{ request_id: 'c1' }, { request_id: 'c2' }]);
});

test('agent-processes lists which runtime ran which stage, of all requests or of one', async () => {
  expect((await reins('agent-processes')).split('\n').map((row) => row.split(/ +/))).toMatchObject([
    ['requestId', 'stage', 'runtimeId', 'runtimeSource', 'attempt', 'state', 'hostId', 'startedAt', 'endedAt'],
    {},
    ['c1', 'execute', 'pi', '1', 'running', 'h1'],
    [''],
  ]);
  expect(JSON.parse(await reins('agent-processes', 'r1', '--limit', '5', '--json'))).toEqual({
    agentProcesses: [{ ...AGENT_PROCESS, search: '?limit=5&requestId=r1' }],
  });
});
