import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { NatsConnection } from '@nats-io/transport-node';
import { DeadLetters } from '@reins/bus';
import { DIRECTIVES_SUBJECT, type EventOf, isObject, partitionOf } from '@reins/contracts';
import { type Database, openDatabase } from '@reins/store';
import { repositoryRoot, tempDir, until } from '@reins/testing';
import { retryUntilAnswered } from './load/retry-until-answered.ts';
import { LOOP_PIPELINE, workspaceFiles } from './load/workspaces.ts';
import { connectOperator, connectPlain } from './system/connect.ts';
import { textField } from './system/gateway.ts';
import { type RunningSystem, startRunningSystem } from './system/start.ts';
import { type EndedRequest, endOf, filesOf, runWorkspace } from './testing/submit-request.ts';

type Directive = EventOf<'control.directive.emitted'>;

/** The common fields of executor signals. */
interface SignalBody {
  readonly effectId: string;
  readonly attempt: number;
  readonly seq: number;
}

const QUICKSTART = filesOf(join(repositoryRoot, 'examples', 'quickstart'));
const MODEL = { override: 'scripted/scripted-model' };
const PROFILE = { default: 'openai_chat', stages: { execute: 'pi' } };

let running: RunningSystem;
let nats: NatsConnection;
let db: Database;
/** The messages of the plain directive subject. */
const heard: string[] = [];

beforeAll(async () => {
  running = await startRunningSystem({
    dir: await tempDir('road'),
    replicas: 1,
    log: () => {},
    settings: { runtime_profile: PROFILE, model: MODEL },
    scenarios: ['garbage'],
  });
  nats = await connectPlain(running.system, 'road');
  db = openDatabase({ url: running.system.databaseUrl });
  nats.subscribe(DIRECTIVES_SUBJECT, { callback: (_, message) => void heard.push(message.string()) });
  await nats.flush();
});

afterAll(async () => {
  await db?.destroy();
  await nats?.close();
  await running?.stop();
});

const restarts = (): Record<string, number> =>
  Object.fromEntries(running.system.status().map(({ name, restarts: count }) => [name, count]));

/** No service was restarted, all are ready, and a request completes. */
async function expectHealthySystem(): Promise<void> {
  expect(Object.values(restarts()).filter((count) => count > 0)).toEqual([]);
  expect(running.system.status().map(({ state }) => state)).not.toContain('waiting');
  const files = workspaceFiles('well');
  const { status } = await runWorkspace(running, 'well', files, {
    input: 'Are you well?',
    stages: { execute: 'echo' },
  });
  expect(status).toBe('completed');
}

const expectIncreasing = (sequence: readonly number[]): void =>
  expect(sequence).toEqual([...new Set(sequence)].sort((a, b) => a - b));

describe('the quickstart', () => {
  let ended: EndedRequest;
  beforeAll(async () => {
    ended = await runWorkspace(running, 'quickstart', QUICKSTART, { input: 'Write the greeting.' });
  });

  test('has strictly increasing event sequences, and so have the signals of each attempt', async () => {
    const { body } = await running.gateway.get(`/requests/${ended.requestId}/events?limit=1000`);
    const events = (body as { events: { seq: number; type: string; source: string; body: SignalBody }[] }).events;
    expect(new Set(events.map(({ source }) => source.split('/')[0]))).toEqual(new Set(['reins', 'harness-host']));
    expect(events.map(({ type }) => type)).toContain('runtime.prepare.completed');
    expectIncreasing(events.map(({ seq }) => seq));
    const byAttempt = Map.groupBy(
      events.filter(({ type }) => type.startsWith('agent.')),
      ({ body: { effectId, attempt } }) => `${effectId}/${attempt}`,
    );
    expect(byAttempt.size).toBeGreaterThanOrEqual(6);
    for (const signals of byAttempt.values()) expectIncreasing(signals.map(({ body: { seq } }) => seq));
  });

  test('runs all its stages, each on the configured runtime', () => {
    expect(ended.status).toBe('completed');
    const stages = ended.stages.map(({ stage, runtimeId, runtimeSource, attempt, status }) =>
      [stage, runtimeId, runtimeSource, attempt, status].join(' '),
    );
    expect(stages).toEqual([
      'interview openai_chat default 1 completed',
      'execute pi stage 1 completed',
      'evaluate openai_chat default 1 completed',
      'reflect openai_chat default 1 completed',
      'execute pi stage 1 completed',
      'evaluate openai_chat default 1 completed',
    ]);
  });

  test('publishes its directives on the plain subject, matching the rows of stage_runs', async () => {
    const directives = heard.map((text) => JSON.parse(text) as Directive);
    const mine = directives.filter(({ requestId }) => requestId === ended.requestId);
    expect(mine.map(({ directive }) => directive)).toEqual([
      'continue',
      'continue',
      'evaluate',
      'evolve',
      'retry',
      'retry',
      'converge',
    ]);
    const rows = await until(
      async () => {
        const found = await db
          .selectFrom('stage_runs')
          .select(['effect_id', 'attempt', 'stage', 'runtime_id', 'runtime_source', 'directive'])
          .where('request_id', '=', ended.requestId)
          .execute();
        return found.length === 6 && found;
      },
      { what: 'the rows of stage_runs' },
    );
    const starting = mine.flatMap(({ directive, extra }) =>
      isObject(extra) && extra.effect_id
        ? [[extra.effect_id, extra.attempt, extra.stage, extra.runtime_id, extra.runtime_source, directive].join(' ')]
        : [],
    );
    expect(rows.map((row) => Object.values(row).join(' ')).sort()).toEqual(starting.sort());
  });

  test('is retried from its last evaluation, without repeating the work before it', async () => {
    const { response } = await retryUntilAnswered(() =>
      running.gateway.post(`/requests/${ended.requestId}/retry`, { from: 'evaluate' }, crypto.randomUUID()),
    );
    expect(response.status).toBe(202);
    const again = await endOf(running, textField(response, 'requestId'));
    expect(again).toMatchObject({ status: 'completed', retryOf: ended.requestId, tree: ended.tree });
    const requested = again.stages.filter(({ requestedAt }) => requestedAt !== undefined);
    expect(requested).toMatchObject([{ stage: 'evaluate', status: 'completed', inputTree: ended.tree }]);
    const origin = await until(
      async () => {
        const { body } = await running.gateway.get(`/requests/${ended.requestId}`);
        return isObject(body) && 'retriedBy' in body && body;
      },
      { what: 'the link to the retry' },
    );
    expect(origin).toMatchObject({ retriedBy: [again.requestId] });
  });

  test('has its files in the final tree', async () => {
    const { status, body } = await running.gateway.get(`/requests/${ended.requestId}/tree`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      tree: ended.tree,
      files: expect.arrayContaining([expect.objectContaining({ path: 'hello.txt' })]),
    });
  });
});

describe('a workspace process with stages in child runs', () => {
  const CODE = `
    const write = (ctx, file, more) => ctx.child('stage', { stage: 'execute', input: '@echo write ' + file + ' x', ...more });
    export const within = async (tree, ctx) => write(ctx, 'b.txt', { tree, runtime: 'echo' });
    export const ship = async (_, ctx) => {
      const hook = await ctx.hook('before-ship', {});
      const { tree } = await write(ctx, 'a.txt', { runtime: 'echo' });
      await ctx.child('process/main.mjs#within', tree);
      return hook.error;
    };`;
  const [yaml, agents] = workspaceFiles('nested');
  const files = [
    { path: 'workspace.yaml', content: `${yaml?.content}\nprocess: process/main.mjs#ship\n` },
    { path: 'AGENTS.md', content: String(agents?.content) },
    { path: 'process/main.mjs', content: CODE },
  ];
  let ended: EndedRequest;
  beforeAll(async () => {
    ended = await runWorkspace(running, 'nested', files, { input: 'Go.' });
  });

  test('has the stages and the files of all of them', async () => {
    expect(ended).toMatchObject({
      status: 'completed',
      output: 'no runner exists for the hook "before-ship"',
      stages: [
        { stage: 'execute', runtimeId: 'echo', runtimeSource: 'request', parentRequestId: ended.requestId },
        { stage: 'execute', runtimeId: 'echo', runtimeSource: 'request', parentRequestId: expect.any(String) },
      ],
      children: [{ status: 'completed' }, { status: 'completed', children: [{ status: 'completed' }] }],
    });
    const { body } = await running.gateway.get(`/requests/${ended.requestId}/changes`);
    expect(body).toMatchObject({
      files: [
        { path: 'a.txt', change: 'added' },
        { path: 'b.txt', change: 'added' },
      ],
    });
  });

  test('is named by the directives of the stages, and by the processes of the stages', async () => {
    const named = (text: string) => (JSON.parse(text) as Directive).extra?.root_request_id === ended.requestId;
    const starting = await until(async () => heard.filter(named).length === 2 && heard.filter(named), {
      what: 'the directives that start the stages',
    });
    const extras = starting.map((text) => (JSON.parse(text) as Directive).extra);
    expect(extras).toMatchObject(Array(2).fill({ stage: 'execute', runtime_id: 'echo', runtime_source: 'request' }));
    const processes = await until(
      async () => {
        const { body } = await running.gateway.get(`/agent-processes?requestId=${ended.requestId}&state=completed`);
        const { agentProcesses } = body as { readonly agentProcesses: readonly object[] };
        return agentProcesses.length === 2 && agentProcesses;
      },
      { what: 'the processes of the stages' },
    );
    expect(processes).toMatchObject(
      extras.toReversed().map((extra) => ({
        rootRequestId: ended.requestId,
        effectId: extra?.effect_id,
        runtimeId: 'echo',
        hostId: expect.any(String),
      })),
    );
  });
});

describe('rejects with a typed error', () => {
  test.each([
    ['invalid YAML', 'name: [unclosed\n  - x'],
    ['a workspace without an agent', 'template_id: x\nname: x\n'],
  ])('%s', async (_, yaml) => {
    const files = [{ path: 'workspace.yaml', content: yaml }];
    const { status, error } = await runWorkspace(running, 'bad-yaml', files, { input: 'Go.' });
    expect(status).toBe('failed');
    expect(error).toMatchObject({ code: expect.stringMatching(/^workspace_/), message: expect.any(String) });
    await expectHealthySystem();
  });

  test.each([
    ['invalid JSON', '{"input": '],
    ['an array', '[]'],
    ['an empty object', '{}'],
    ['fields of other types', '{"workspace": 7, "input": null, "stages": {"dance": "pi"}, "sessionId": "a b"}'],
    ['an unknown field', '{"workspace": {"id": "w"}, "input": "x", "colour": "blue"}'],
    ['an unknown workspace', '{"workspace": {"id": "nowhere"}, "input": "x"}'],
  ])('a body with %s', async (_, body) => {
    const response = await running.gateway.send('/requests', body);
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(response.status).toBeLessThan(500);
    expect(response.body).toMatchObject({ code: expect.any(String), detail: expect.any(String) });
    expect(textField(response, 'code')).not.toBe('internal_error');
  });

  test.each(['openai_chat', 'pi'])('a model of %s that violates the protocol', async (runtimeId) => {
    const files = workspaceFiles('garbage', { provider: 'garbage', pipeline: LOOP_PIPELINE });
    const stages = { interview: runtimeId };
    const { status, error } = await runWorkspace(running, 'garbage', files, {
      input: 'Go.',
      stages,
      model: 'garbage/scripted-model',
    });
    expect(status).toBe('failed');
    expect(error).toMatchObject({ code: expect.stringMatching(/^(model|harness)_/), message: expect.any(String) });
    await expectHealthySystem();
  });
});

describe('garbage on the bus', () => {
  const address = 'nowhere.00GARBAGE';
  const inbox = `inbox.${partitionOf('00GARBAGE')}`;
  const SUBJECTS = [
    `runtime.request.started.${address}`,
    `runtime.plan.requested.${address}`,
    `runtime.prepare.requested.${address}`,
    `runtime.stage.requested.${address}.echo`,
    `runtime.no.such.event.${address}`,
    `agent.tool.start.${address}`,
    `agent.output.delta.${address}`,
    `control.directive.emitted.${address}`,
    `${inbox}.command.run.submit.${address}`,
    `${inbox}.runtime.stage.completed.${address}.effect`,
    `${inbox}.nonsense`,
    `command.projection.rebuild.${address}`,
  ];
  const BODIES = ['', 'not json', '{"type":"runtime.plan.requested"}', '[]', '{"$blob":{"sha256":"x","size":1}}'];

  test('of every subject family crashes no service; what has a consumer is dead-lettered with its problem', async () => {
    for (const subject of SUBJECTS) for (const body of BODIES) nats.publish(subject, body);
    await nats.flush();
    const bus = await connectOperator(running.system, 'road');
    try {
      const letters = new DeadLetters(bus);
      // Work requests, inbox messages and commands have a handler. The projector only reads the rest.
      const handled = SUBJECTS.filter((subject) =>
        /^(runtime\.(plan|prepare|stage)\.|inbox\.|command\.)/.test(subject),
      );
      const expected = handled.length * BODIES.length;
      const dead = await until(
        async () => {
          const list = await letters.list({ limit: 1_000 });
          if (list.length < expected) throw new Error(list.map(({ subject }) => subject).join('\n'));
          return list;
        },
        { what: `${expected} dead letters`, timeoutMs: 240_000 },
      );
      expect(dead).toHaveLength(expected);
      expect(dead.filter(({ problem }) => problem.code === 'internal_error')).toEqual([]);
    } finally {
      await bus.close();
    }
    await expectHealthySystem();
  });
});
