import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { connectBus, DeadLetters } from '@reins/bus';
import { DIRECTIVES_SUBJECT, type EventOf, isObject, partitionOf } from '@reins/contracts';
import { type Database, openDatabase } from '@reins/store';
import { repositoryRoot, tempDir, until } from '@reins/testing';
import { LOOP_PIPELINE, workspaceFiles } from './load/workspaces.ts';
import { textField } from './system/gateway.ts';
import { type RunningSystem, startRunningSystem } from './system/start.ts';
import { type EndedRequest, filesOf, runWorkspace } from './testing/submit-request.ts';

type Directive = EventOf<'control.directive.emitted'>;

/** What every signal of an executor has. */
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
/** What came on the plain subject, as it came. */
const heard: string[] = [];

beforeAll(async () => {
  running = await startRunningSystem({
    dir: await tempDir('road'),
    replicas: 1,
    log: () => {},
    settings: { runtime_profile: PROFILE, model: MODEL },
    scenarios: ['garbage'],
  });
  nats = await connect({ servers: running.system.natsUrl });
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

/** Nothing ended, nothing is ill, and a request still completes. */
async function expectAllIsWell(): Promise<void> {
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

  test('is told in one sequence, strictly increasing over preparation and host, and so is what an attempt says', async () => {
    const { body } = await running.gateway.get(`/requests/${ended.requestId}/events?limit=1000`);
    const events = (body as { events: { seq: number; type: string; source: string; body: SignalBody }[] }).events;
    expect(new Set(events.map(({ source }) => source.split('/')[0]))).toEqual(new Set(['reins', 'harness-host']));
    expect(events.map(({ type }) => type)).toContain('runtime.prepare.completed');
    expectIncreasing(events.map(({ seq }) => seq));
    const said = Map.groupBy(
      events.filter(({ type }) => type.startsWith('agent.')),
      ({ body: { effectId, attempt } }) => `${effectId}/${attempt}`,
    );
    expect(said.size).toBeGreaterThanOrEqual(6);
    for (const signals of said.values()) expectIncreasing(signals.map(({ body: { seq } }) => seq));
  });

  test('goes through all its stages, each on the harness that the operator chose', () => {
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

  test('told each of its directives on the plain subject, with the rows of stage_runs behind them', async () => {
    const told = heard.map((text) => JSON.parse(text) as Directive);
    const mine = told.filter(({ requestId }) => requestId === ended.requestId);
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

  test('left its files in the tree that it ended with', async () => {
    const { status, body } = await running.gateway.get(`/requests/${ended.requestId}/tree`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      tree: ended.tree,
      files: expect.arrayContaining([expect.objectContaining({ path: 'hello.txt' })]),
    });
  });
});

describe('refused with a typed error is', () => {
  test.each([
    ['YAML that is none', 'name: [unclosed\n  - x'],
    ['a workspace without an agent', 'template_id: x\nname: x\n'],
  ])('%s', async (_, yaml) => {
    const files = [{ path: 'workspace.yaml', content: yaml }];
    const { status, error } = await runWorkspace(running, 'bad-yaml', files, { input: 'Go.' });
    expect(status).toBe('failed');
    expect(error).toMatchObject({ code: expect.stringMatching(/^workspace_/), message: expect.any(String) });
    await expectAllIsWell();
  });

  test.each([
    ['no JSON', '{"input": '],
    ['no object', '[]'],
    ['an empty object', '{}'],
    ['fields of other types', '{"workspace": 7, "input": null, "stages": {"dance": "pi"}, "sessionId": "a b"}'],
    ['a field that there is not', '{"workspace": {"id": "w"}, "input": "x", "colour": "blue"}'],
    ['a workspace that there is not', '{"workspace": {"id": "nowhere"}, "input": "x"}'],
  ])('a body with %s', async (_, body) => {
    const answer = await running.gateway.send('/requests', body);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    expect(answer.body).toMatchObject({ code: expect.any(String), detail: expect.any(String) });
    expect(textField(answer, 'code')).not.toBe('internal_error');
  });

  test.each(['openai_chat', 'pi'])('what is not the protocol, from the model of %s', async (runtimeId) => {
    const files = workspaceFiles('garbage', { provider: 'garbage', pipeline: LOOP_PIPELINE });
    const stages = { interview: runtimeId };
    const { status, error } = await runWorkspace(running, 'garbage', files, {
      input: 'Go.',
      stages,
      model: 'garbage/scripted-model',
    });
    expect(status).toBe('failed');
    expect(error).toMatchObject({ code: expect.stringMatching(/^(model|harness)_/), message: expect.any(String) });
    await expectAllIsWell();
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

  test('of every family harms nobody; what had a reader lies in DEAD with its reason', async () => {
    for (const subject of SUBJECTS) for (const body of BODIES) nats.publish(subject, body);
    await nats.flush();
    const bus = await connectBus({ servers: running.system.natsUrl, name: 'road' });
    try {
      const letters = new DeadLetters(bus);
      // Work, inbox messages and commands have a handler each; the rest is only read by the projector.
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
        { what: `${expected} dead letters`, withinMs: 240_000 },
      );
      expect(dead).toHaveLength(expected);
      expect(dead.filter(({ problem }) => problem.code === 'internal_error')).toEqual([]);
    } finally {
      await bus.close();
    }
    await expectAllIsWell();
  });
});
