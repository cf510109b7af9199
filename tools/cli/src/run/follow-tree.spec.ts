import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import type { JsonObject } from '@reins/contracts';
import { runProgram } from '../program.ts';

let server: Server | undefined;
afterEach(async () => {
  server?.closeAllConnections();
  await server?.[Symbol.asyncDispose]();
});

const started = (requestId: string, parent?: string): JsonObject => ({
  type: 'runtime.request.started',
  requestId,
  ...(parent !== undefined && { parent: { requestId: parent } }),
});
const completed = (requestId: string): JsonObject => ({ type: 'runtime.request.completed', requestId });
const child = (end: 'started' | 'completed', requestId: string, childRequestId: string): JsonObject => ({
  type: `runtime.child.${end}`,
  requestId,
  childRequestId,
});
const stage = (requestId: string): JsonObject => ({
  type: 'runtime.stage.completed',
  requestId,
  effectId: `s_${requestId}`,
  stage: 'execute',
});
const leaf = (requestId: string, parent: string): JsonObject[] => [
  started(requestId, parent),
  stage(requestId),
  completed(requestId),
];

/** The events of the request that the command repeats. */
const ORIGINAL = [
  {
    type: 'runtime.prepare.requested',
    requestId: 'o',
    workspaceId: 'ws',
    effectId: 'p',
    stage: 'execute',
    iteration: 1,
  },
  {
    type: 'runtime.prepare.completed',
    requestId: 'o',
    effectId: 'p',
    hostRequestRef: { sha256: 'h', size: 1 },
    snapshotRef: {},
    fingerprint: 'f',
  },
].map((body) => ({ type: body.type, body }));

/** Follows request `r` of a gateway with these event streams. The first call for `late` finds no run. */
async function run(streams: Readonly<Record<string, readonly JsonObject[]>>) {
  const calls: string[] = [];
  server = createServer((request, response) => {
    const [, , , , id = '', list] = new URL(String(request.url), 'http://gateway').pathname.split('/');
    if (request.method === 'POST') return response.end(JSON.stringify({ requestId: 'r' }));
    if (list !== 'events')
      return response.end(JSON.stringify({ requestId: 'r', status: 'completed', stages: [], files: [] }));
    if (id === 'o') return response.end(JSON.stringify({ events: ORIGINAL, next: 2, more: false }));
    calls.push(id);
    return id === 'late' && calls.filter((call) => call === id).length === 1
      ? response
          .writeHead(404, { 'content-type': 'application/problem+json' })
          .end(JSON.stringify({ code: 'request_not_found', message: 'no' }))
      : streamed(response, streams[id] ?? []);
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  let err = '';
  const env = { REINS_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  const note = (more: string): void => {
    err += more;
  };
  const exit = await runProgram(['replay-request', 'o', '--runtime', 'pi'], { env, out: () => {}, err: note });
  const lines = err.split('\n').flatMap((line) => /^\d\d:\d\d:\d\d {2}(.*)$/.exec(line)?.[1] ?? []);
  return { exit, lines: lines.map((line) => line.replace(/ \(\d.*\)$/, '')), calls };
}

function streamed(response: ServerResponse, events: readonly JsonObject[]): ServerResponse {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  return response.end(events.map((body, at) => `id: ${at + 1}\ndata: ${JSON.stringify(body)}\n\n`).join(''));
}

test('the lines of child runs are indented below their start, and come before their end', async () => {
  const { exit, lines } = await run({
    r: [started('r'), child('started', 'r', 'late'), child('completed', 'r', 'late'), completed('r')],
    late: [
      started('late', 'r'),
      child('started', 'late', 'deep'),
      child('completed', 'late', 'deep'),
      stage('late'),
      completed('late'),
    ],
    deep: leaf('deep', 'late'),
  });
  expect(exit).toBe(0);
  expect(lines).toEqual([
    'request r started',
    'child    run late started',
    '  request late started',
    '  child    run deep started',
    '    request deep started',
    '    stage    execute completed',
    '    request  completed',
    '  child    run deep completed',
    '  stage    execute completed',
    '  request  completed',
    'child    run late completed',
    'request  completed',
  ]);
});

test('a child run that a fork shares has no lines: it belongs to the original request', async () => {
  const { lines } = await run({
    r: [started('r'), child('started', 'r', 'old'), child('completed', 'r', 'old'), completed('r')],
    old: leaf('old', 'original'),
  });
  expect(lines).toEqual([
    'request r started',
    'child    run old started',
    'child    run old completed',
    'request  completed',
  ]);
});

test('at most 8 child runs are followed at a time', async () => {
  const ids = Array.from({ length: 12 }, (_, at) => `c${at}`);
  const { exit, calls } = await run({
    r: [
      started('r'),
      ...ids.map((id) => child('started', 'r', id)),
      ...ids.map((id) => child('completed', 'r', id)),
      completed('r'),
    ],
    ...Object.fromEntries(ids.map((id) => [id, leaf(id, 'r')])),
  });
  expect(exit).toBe(0);
  expect(new Set(calls)).toEqual(new Set(['r', ...ids.slice(0, 8)]));
});
