import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { runProgram } from '../program.ts';

const REF = { sha256: 'a'.repeat(64), size: 2 };
const HEAD = { requestId: 'run1', sessionId: 's', agentId: 'main', workspaceId: 'ws' };

/** The events of a prepared stage: the request and its result. */
function prepared(stage: string, iteration: number, sha256: string, fingerprint: string) {
  const effectId = `${stage}${iteration}`;
  const request = {
    ...HEAD,
    type: 'runtime.prepare.requested',
    effectId,
    stage,
    iteration,
    runtimeId: 'pi',
    planRef: REF,
    input: { input: 'write' },
    context: { previous: 'before' },
    tree: 'b'.repeat(64),
    attempt: 1,
  };
  const answer = {
    ...HEAD,
    type: 'runtime.prepare.completed',
    effectId,
    snapshotRef: { sha256, size: 2 },
    hostRequestRef: { sha256: `request ${sha256}`, size: 2 },
    fingerprint,
  };
  return [request, answer].map((body) => ({ type: body.type, body }));
}

/** The events of a stage that an executor started, in two attempts. */
function started(stage: string, sha256: string) {
  const at = { ...HEAD, effectId: `run ${sha256}`, stage };
  const handoff = (attempt: number, tools: readonly string[]) => ({
    ...{ ...at, type: 'runtime.adapter.event', attempt },
    event: { adapter: 'pi', phase: 'agent.handoff', tools },
  });
  const degradedServers = [{ serverId: 'clock', reason: 'it exited', missingToolIds: [], required: false }];
  return [
    { ...at, type: 'runtime.stage.requested', hostRequestRef: { sha256: `request ${sha256}`, size: 2 } },
    handoff(1, ['read']),
    handoff(2, ['read', 'tickets.list']),
    { ...at, type: 'runtime.stage.started', attempt: 2, degradedServers },
  ].map((body) => ({ type: body.type, body }));
}

const EVENTS = [
  ...prepared('execute', 1, 'one', 'f'.repeat(64)),
  ...prepared('evaluate', 1, 'two', 'e'.repeat(64)),
  ...prepared('execute', 2, 'three', 'f'.repeat(64)),
  ...started('execute', 'three'),
];
/** The stages of each request: `parent` has them in child runs. */
const STAGES: Record<string, readonly object[]> = {
  run1: ['execute', 'evaluate', 'execute'].map((stage) => ({ requestId: 'run1', stage })),
  parent: ['a', 'b', 'b', 'c', 'd'].map((id) => ({ requestId: `run_${id}`, stage: 'execute' })),
};
/** A part of what is sent to a harness. */
const SENT = {
  contexts: [{ id: 'recent_runtime', tokens: 12 }],
  harness_request: {
    runtime_id: 'pi',
    provider_id: 'openai',
    model_id: 'gpt-5.4',
    instruction: 'stage: evaluate\n\n\n1\n\nWrite it',
    system_prompt: 'x'.repeat(1000),
    context_messages: ['abc'],
    tools: { read: true, write: true },
    input_tree: 'b'.repeat(64),
  },
};
const SNAPSHOTS: Record<string, object> = {
  one: { a: 1, b: [1, 2] },
  two: { a: 2, ...SENT },
  three: { a: 1, b: [1, 3], harness_request: { tools: { read: true, mcp__clock__now: true } } },
};

let gateway: Server;
let url: string;
const submitted: Record<string, unknown>[] = [];

/** A fake gateway: two pages of events, blobs, and accepted requests. */
beforeAll(async () => {
  gateway = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://gateway');
    const [, , , kind, id = '', list] = pathname.split('/');
    const send = (value: unknown): void => void response.end(JSON.stringify(value));
    if (request.method === 'POST') {
      let body = '';
      for await (const chunk of request) body += String(chunk);
      submitted.push(JSON.parse(body) as Record<string, unknown>);
      return send({ requestId: 'run2' });
    }
    if (kind === 'blobs') return send(SNAPSHOTS[id]);
    if (list !== 'events') return send({ stages: STAGES[id] });
    if (id !== 'run1') return send({ events: [], next: 0, more: false });
    const after = Number(searchParams.get('after'));
    return send({ events: EVENTS.slice(after, after + 4), next: after + 4, more: after + 4 < EVENTS.length });
  });
  await new Promise<void>((resolve) => void gateway.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`;
});
afterAll(() => {
  gateway.closeAllConnections();
  gateway.close();
});

async function reins(...args: string[]) {
  const output = { out: '', err: '' };
  const out = (text: string): void => {
    output.out += text;
  };
  const err = (text: string): void => {
    output.err += text;
  };
  return { exit: await runProgram(args, { env: { REINS_URL: url }, out, err }), ...output };
}

describe('snapshot', () => {
  test('show prints the snapshot of the last stage, or of the selected one', async () => {
    const last = await reins('snapshot', 'show', 'run1', '--full');
    expect(last).toMatchObject({ exit: 0, err: expect.stringContaining('run1 execute 2 → pi') });
    expect(JSON.parse(last.out)).toEqual(SNAPSHOTS.three);
    const named = await reins('snapshot', 'show', 'run1', '--stage', 'execute', '--iteration', '1', '--json');
    expect(JSON.parse(named.out)).toEqual(SNAPSHOTS.one);
  });

  test('show prints the model, the sizes of the texts, the tools and the files', async () => {
    const { exit, out, err } = await reins('snapshot', 'show', 'run1', '--stage', 'evaluate');
    expect([exit, err]).toEqual([0, expect.stringContaining('--full')]);
    expect(out.trimEnd().split('\n')).toEqual([
      'runtime          pi',
      'model            openai/gpt-5.4',
      'instruction      29 characters: Write it',
      'system prompt    1000 characters',
      'context          3 characters',
      'tools            read, write (prepared; no executor has started)',
      `files            tree ${'b'.repeat(12)}`,
      'contexts         recent_runtime (12 tokens)',
    ]);
  });

  test('show prints the tools that the model was offered, and the servers that did not start', async () => {
    const { out } = await reins('snapshot', 'show', 'run1');
    expect(out.split('\n').slice(0, 2)).toEqual([
      'tools            read, tickets.list',
      'unavailable      clock (it exited)',
    ]);
  });

  test('diff prints every difference, and whether the fingerprints are equal', async () => {
    const same = await reins('snapshot', 'diff', 'run1:execute:1', 'run1:execute:2', '--json');
    expect(same.exit).toBe(0);
    expect(JSON.parse(same.out)).toMatchObject({
      sameFingerprint: true,
      before: { stage: 'execute', iteration: 1, attempt: 1, runtime_id: 'pi' },
      differences: expect.arrayContaining([{ path: 'b[1]', before: 2, after: 3 }]),
    });
    const other = await reins('snapshot', 'diff', 'run1:execute', 'run1:evaluate');
    expect(other).toMatchObject({ exit: 1, out: expect.stringContaining('a\n  - 1\n  + 2\n') });
  });

  test.each([
    [[], 'the stages of parent'],
    [['--stage', 'execute'], 'stage execute of parent'],
  ])('show %j of a request whose stages ran in child runs names them, and the command', async (args, what) => {
    const { exit, err } = await reins('snapshot', 'show', 'parent', ...args);
    expect(exit).toBe(2);
    expect(err).toContain(`${what} ran in child runs run_a, run_b, run_c and 1 more`);
    expect(err).toContain('`reins snapshot show run_d --stage execute`');
  });

  test('show of a stage that no run of the request has prepared says so', async () => {
    expect((await reins('snapshot', 'show', 'parent', '--stage', 'evaluate')).err).toContain(
      'parent has not prepared evaluate yet',
    );
  });

  test.each([
    [['snapshot', 'show', 'run1', '--stage', 'dance']],
    [['snapshot', 'show', 'run1', '--stage', 'reflect']],
    [['snapshot', 'show', 'run1', '--iteration', 'x']],
    [['snapshot', 'diff', 'run1:execute:1:2', 'run1']],
    [['replay-request', 'run1']],
  ])('%j is wrong usage', async (args) => {
    expect((await reins(...args)).exit).toBe(2);
  });
});

test('replay-request submits a new request for the stage: same tree and input, another runtime', async () => {
  const { exit, out } = await reins(
    'replay-request',
    'run1',
    '--stage',
    'evaluate',
    '--runtime',
    'echo',
    '--detach',
    '--json',
  );
  expect(exit).toBe(0);
  expect(JSON.parse(out)).toEqual({ requestId: 'run2', retryOf: 'run1', status: 'accepted' });
  expect(submitted).toEqual([
    {
      workspace: { id: 'ws', revision: 'b'.repeat(64) },
      process: 'stage-again',
      retryOf: 'run1',
      stages: { evaluate: 'echo' },
      input: {
        stage: 'evaluate',
        iteration: 1,
        planRef: REF,
        input: { input: 'write' },
        context: { previous: 'before' },
      },
    },
  ]);
});
