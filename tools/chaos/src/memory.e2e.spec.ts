import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { isObject, type JsonObject } from '@reins/contracts';
import { tempDir, until } from '@reins/testing';
import { workspaceFiles } from './load/workspaces.ts';
import { type RunningSystem, startRunningSystem } from './system/start.ts';
import { type EndedRequest, runWorkspace } from './testing/submit-request.ts';

const MEMORY = 'memory:\n  - scope: user\n  - scope: workspace\n    limit: 2\n';
const FILES = workspaceFiles('recalling', { pipeline: MEMORY });

let running: RunningSystem;
let crashPoints: string;

beforeAll(async () => {
  const dir = await tempDir('memory');
  crashPoints = join(dir, 'crash-points');
  await mkdir(crashPoints);
  running = await startRunningSystem({
    dir,
    replicas: 1,
    log: () => {},
    settings: {
      model: { override: 'scripted/scripted-model' },
      limits: { memory_run_for_ms: 10_000 },
      chaos: { crash_points: crashPoints },
    },
  });
});
afterAll(() => running?.stop());

/** Runs a request of a user in a session of its own. */
const run = (input: string, user: string): Promise<EndedRequest> =>
  runWorkspace(running, 'recalling', FILES, {
    input,
    stages: { execute: 'echo' },
    metadata: { context: { user: { id: user } } },
  });

async function eventsOf({ requestId }: EndedRequest): Promise<readonly JsonObject[]> {
  const { body } = await running.gateway.get(`/requests/${requestId}/events?limit=1000`);
  return (body as { events: { body: JsonObject }[] }).events.map((event) => event.body);
}

/** The facts about memory, and the context of the stage. */
async function memoryOf(request: EndedRequest) {
  const events = await eventsOf(request);
  const facts = events.filter(({ type }) => String(type).startsWith('runtime.memory.'));
  const prepared = events.find(({ type }) => type === 'runtime.prepare.completed');
  const contexts = (prepared?.contexts ?? []) as JsonObject[];
  return { facts, context: contexts.find(({ id }) => id === 'recalled_memory') };
}

const remember = async (namespace: string, text: string): Promise<void> => {
  const record = { namespace, kind: 'preference', text };
  const { status, body } = await running.gateway.post('/memory/records', record, crypto.randomUUID());
  expect({ status, body: isObject(body) && body.decision }).toMatchObject({ body: 'accepted' });
};

const pidOfMemory = (): number => {
  const pid = running.system.status().find(({ name }) => name === 'memory')?.pid;
  if (pid === undefined) throw new Error('the memory service does not run');
  return pid;
};

test('what a person remembers is recalled by later runs of this person, and by no others', async () => {
  await remember('user/ann', 'I deploy on Fridays');
  const ann = await memoryOf(await run('When do I deploy?', 'ann'));
  expect(ann.facts.map(({ type }) => type)).toEqual([
    'runtime.memory.lifecycle',
    'runtime.memory.recall.requested',
    'runtime.memory.recall.requested',
    'runtime.memory.recall.completed',
    'runtime.memory.recall.completed',
  ]);
  const recalled = ann.facts.find(({ namespace }) => namespace === 'user/ann');
  expect(recalled).toMatchObject({ recordIds: [expect.any(String)], context: expect.stringContaining('Fridays') });
  expect(ann.context).toMatchObject({ status: 'used' });
  const bob = await memoryOf(await run('When do I deploy?', 'bob'));
  expect(JSON.stringify(bob.facts)).not.toContain('Fridays');
  expect(bob.context).toMatchObject({ status: 'empty' });
});

test('a run continues without its memory while the service is frozen', async () => {
  const pid = pidOfMemory();
  process.kill(pid, 'SIGSTOP');
  try {
    const ended = await run('When do I deploy?', 'ann');
    expect(ended.status).toBe('completed');
    const { facts, context } = await memoryOf(ended);
    expect(facts.filter(({ type }) => type === 'runtime.memory.recall.failed')).toHaveLength(2);
    expect(context).toMatchObject({ status: 'unavailable' });
  } finally {
    process.kill(pid, 'SIGCONT');
  }
});

test('a run is not harmed when the service is killed after it has answered, and the answer counts once', async () => {
  await writeFile(join(crashPoints, 'memory.recalled'), '');
  const before = pidOfMemory();
  const ended = await run('When do I deploy?', 'ann');
  expect(ended.status).toBe('completed');
  await until(() =>
    running.system.status().some(({ name, pid }) => name === 'memory' && pid !== undefined && pid !== before),
  );
  await running.system.ready('memory');
  const { facts } = await memoryOf(ended);
  const ends = facts.filter(({ type }) => /recall\.(completed|failed)$/.test(String(type)));
  expect(ends).toHaveLength(2);
  expect(new Set(ends.map(({ effectId }) => effectId)).size).toBe(2);
  expect((await memoryOf(await run('When do I deploy?', 'ann'))).context).toMatchObject({ status: 'used' });
});
