import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { nanos } from '@nats-io/nats-core';
import { type Bus, connectBus, workerDurable } from '@reins/bus';
import { inboxSubject, type JsonObject, type Problem } from '@reins/contracts';
import { tempDir, until } from '@reins/testing';
import type { RunJournal } from './evidence/evidence.ts';
import { workspaceFiles } from './load/workspaces.ts';
import { type RunningSystem, startRunningSystem } from './system/start.ts';
import { evidenceOf } from './testing/evidence-of.ts';
import { reins } from './testing/reins.ts';
import { type EndedRequest, endOf, submit } from './testing/submit-request.ts';

/** Everything in one inbox: what is beside a poison there has to be served, too. */
const PARTITIONS = 1;
const PREPARE = 'runtime.prepare.requested';
const CRASHES = 3;
const CRASH_WITHIN_MS = 180_000;

let poisons: string;
let running: RunningSystem;
let bus: Bus;
/** A request whose stage's answer ends the control bus, and one whose second preparation ends runner-prep. */
let answered: string;
let prepared: string;
let [answerSubject, prepareSubject] = ['', ''];
/** Requests beside them: waiting, asleep, or submitted when a reader had just ended. */
let neighbours: EndedRequest[];
let sleeper: string;

beforeAll(async () => {
  const dir = await tempDir('poison');
  poisons = join(dir, 'crash-points', 'poison');
  await mkdir(poisons, { recursive: true });
  const settings = {
    nats: { partitions: PARTITIONS },
    limits: { stageMaxAttempts: 1 },
    chaos: { crashPoints: join(dir, 'crash-points') },
  };
  running = await startRunningSystem({ dir, replicas: 1, log: () => {}, settings });
  bus = await connectBus({ servers: running.system.natsUrl, name: 'poison' });
  await poisonTwo();
});

afterAll(async () => {
  await bus?.close();
  await running?.stop();
});

/** Two readers are handed what ends them, until nobody is; requests come in and are asked all the while. */
async function poisonTwo(): Promise<void> {
  const plain = (input: string) => submit(running, 'plain', workspaceFiles('plain'), { input });
  const two = workspaceFiles('two', { pipeline: 'pipeline:\n  stages: [interview, execute]\n' });
  sleeper = await submit(running, 'sleeper', SLEEPER, { input: {} });
  const asked = await plain('@echo ask colour?');
  answered = await plain('@echo ask colour?');
  prepared = await submit(running, 'two', two, { input: '@echo/interview ask colour?' });

  prepareSubject = `${PREPARE}.two.${prepared}`;
  await question(prepared); // its first preparation is done, under the same subject
  await writeFile(join(poisons, prepareSubject), '');
  await answer(prepared);
  const besidePreparing = eachCrash('runner-prep', async () => {
    await handOutAgain();
    return plain('@echo answer though nobody prepared');
  });

  const run = { workspaceId: 'plain', runId: answered, effectId: await question(answered) };
  answerSubject = inboxSubject({ type: 'runtime.stage.completed', ...run }, PARTITIONS);
  await writeFile(join(poisons, answerSubject), '');
  await answer(answered);
  const besideAnswering = eachCrash('control-bus', () => plain('@echo answer though nobody decided'));
  await answer(asked);

  const beside = [sleeper, asked, ...(await besidePreparing), ...(await besideAnswering)];
  neighbours = await Promise.all(beside.map((id) => endOf(running, id)));
  await Promise.all([endOf(running, answered), endOf(running, prepared)]);
}

/** A process of the workspace that waits for time to pass. */
const SLEEPER = [
  { path: 'AGENTS.md', content: '# The sleeper\n' },
  {
    path: 'workspace.yaml',
    content:
      'template_id: sleeper\nname: sleeper\nagents: { id: sleeper, model: scripted/scripted-model }\nmcp_registry: { servers: {} }\nprocess: process/main.js#process\n',
  },
  {
    path: 'process/main.js',
    content:
      "export async function process(_, ctx) {\n  await ctx.sleepUntil(ctx.now().getTime() + 1_000);\n  return 'awake';\n}\n",
  },
];

/** The effect that a request has asked a question for. */
const question = (requestId: string): Promise<string> =>
  until(
    async () => {
      const { body } = await running.gateway.get(`/requests/${requestId}`);
      return (body as { readonly waiting?: { readonly effectId: string } }).waiting?.effectId;
    },
    { what: `a question of ${requestId}` },
  );

async function answer(requestId: string): Promise<void> {
  const given = { effectId: await question(requestId), answer: 'blue' };
  const { status } = await running.gateway.post(`/requests/${requestId}/answers`, given, crypto.randomUUID());
  expect(status).toBe(202);
}

const restarts = (): Record<string, number> =>
  Object.fromEntries(running.system.status().map(({ name, restarts: count }) => [name, count]));

/** Submits a request each time that a service has ended. */
async function eachCrash(name: string, submitOne: () => Promise<string>): Promise<string[]> {
  const submitted: string[] = [];
  for (let crash = 1; crash <= CRASHES; crash += 1) {
    const ended = () => (restarts()[name] ?? 0) >= crash;
    await until(ended, { what: `crash ${crash} of ${name}`, withinMs: CRASH_WITHIN_MS });
    submitted.push(await submitOne());
  }
  return submitted;
}

/**
 * What a worker that is gone had in its hands is handed out again when it was silent for ten seconds. Here that is sooner, until the next
 * one starts and sets it right.
 */
async function handOutAgain(): Promise<void> {
  const durable = workerDurable(PREPARE);
  const { config } = await bus.jsm.consumers.info('EVENTS', durable);
  await bus.jsm.consumers.update('EVENTS', durable, { ...config, ack_wait: nanos(250) });
}

interface DeadRow extends JsonObject {
  readonly seq: number;
  readonly subject: string;
}

const deadLetters = async (): Promise<readonly DeadRow[]> =>
  (await reins<readonly DeadRow[]>(running, 'dead', 'list')).json;

describe('a message that ends whoever reads it', () => {
  test('does so three times, and ends nobody else; all of them are well again', async () => {
    expect(restarts()).toEqual(
      Object.fromEntries(
        Object.keys(restarts()).map((name) => [name, ['control-bus', 'runner-prep'].includes(name) ? CRASHES : 0]),
      ),
    );
    await Promise.all(running.system.status().map(({ name }) => running.system.ready(name)));
    expect((await fetch(`${running.gateway.url}/readyz`)).status).toBe(200);
  });

  test('fails its request with the reason', async () => {
    for (const id of [answered, prepared])
      expect(await endOf(running, id)).toMatchObject({
        status: 'failed',
        error: { code: 'delivery_crashed', message: 'the process ended each time it handled this message' },
      });
  });

  test('keeps no other request from its end, be it waiting, asleep or new', () => {
    expect(neighbours).toHaveLength(2 + 2 * CRASHES);
    expect(neighbours.map(({ status }) => status)).toEqual(neighbours.map(() => 'completed'));
  });

  test('is told to operators, with the reason and all that it was', async () => {
    const code = 'delivery_crashed';
    const letters = await deadLetters();
    expect(letters.map(({ subject, code: told }) => `${told} ${subject}`).sort()).toEqual(
      [`${code} ${answerSubject}`, `${code} ${prepareSubject}`].sort(),
    );
    for (const { seq, subject } of letters) {
      const { exit, json } = await reins<JsonObject>(running, 'dead', 'show', String(seq));
      expect(exit).toBe(0);
      expect(json).toMatchObject({ subject, problem: { code }, data: { requestId: expect.any(String) } });
    }
  });

  test('changes nothing when it is sent again after its request has ended', async () => {
    const before = await evidenceOf(running);
    const letters = await deadLetters();
    const seqs = letters.map(({ seq }) => String(seq));
    await Promise.all([answerSubject, prepareSubject].map((subject) => rm(join(poisons, subject))));
    expect(await reins(running, 'dead', 'redrive', ...seqs)).toMatchObject({ exit: 0, json: { errors: [] } });
    await allRead();

    expect(await deadLetters()).toEqual([]);
    const after = await until(
      async () => {
        const seen = await evidenceOf(running);
        return seen.projection.ok && seen;
      },
      { what: 'a read model that is the fold of the log' },
    );
    for (const id of [answered, prepared]) {
      expect(journalOf(after.journals, id)).toEqual(journalOf(before.journals, id));
      expect(after.events.filter(({ requestId, type }) => requestId === id && ENDS.test(type))).toHaveLength(1);
      expect(await endOf(running, id)).toMatchObject({ status: 'failed', error: { code: 'delivery_crashed' } });
    }
    expect(restarts()).toMatchObject({ 'control-bus': CRASHES, 'runner-prep': CRASHES });

    const again = await reins<{ readonly error: Problem }>(running, 'dead', 'redrive', ...seqs);
    expect(again).toMatchObject({ exit: 1, json: { sent: [], error: { code: 'dead_letter_not_found' } } });
  });
});

test('what came of a sleep is explained by what came before it', async () => {
  const { exit, json } = await reins<readonly JsonObject[]>(running, 'why', sleeper);
  expect(exit).toBe(0);
  expect(json.map(({ message, type }) => message ?? type)).toEqual([
    expect.stringContaining('submit'),
    'runtime.request.waiting',
    'timer.due wake',
    'runtime.request.completed',
  ]);
});

const ENDS = /^runtime\.request\.(completed|failed|cancelled)$/;

const journalOf = (journals: ReadonlyMap<string, RunJournal>, runId: string) => journals.get(runId)?.entries;

/** Nothing of the inbox and of the preparations is left to read. A worker acknowledges when its answer is in the inbox. */
async function allRead(): Promise<void> {
  const { jsm } = bus;
  await until(
    async () => {
      const { num_pending, num_ack_pending } = await jsm.consumers.info('EVENTS', workerDurable(PREPARE));
      return num_pending + num_ack_pending === 0;
    },
    { what: 'a preparation that is done' },
  );
  await until(async () => (await jsm.streams.info('INBOX')).state.messages === 0, { what: 'an empty inbox' });
}
