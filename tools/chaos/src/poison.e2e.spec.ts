import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { nanos } from '@nats-io/nats-core';
import { type Bus, workerDurable } from '@reins/bus';
import { inboxSubject, type JsonObject, type Problem } from '@reins/contracts';
import { tempDir, until } from '@reins/testing';
import type { RunJournal } from './evidence/evidence.ts';
import { workspaceFiles } from './load/workspaces.ts';
import { connectOperator } from './system/connect.ts';
import { type RunningSystem, startRunningSystem } from './system/start.ts';
import { evidenceOf } from './testing/evidence-of.ts';
import { reins } from './testing/reins.ts';
import { type EndedRequest, endOf, submit } from './testing/submit-request.ts';

/** One inbox for everything: messages next to the poison message have to be handled, too. */
const PARTITIONS = 1;
const PREPARE = 'runtime.prepare.requested';
const CRASHES = 5;
const CRASH_TIMEOUT_MS = 180_000;

let poisonFolder: string;
let running: RunningSystem;
let bus: Bus;
/** A request whose stage answer crashes the control bus, and one whose second preparation crashes runner-prep. */
let answered: string;
let prepared: string;
let [answerSubject, prepareSubject] = ['', ''];
/** Other requests: waiting, sleeping, or submitted just after a crash. */
let neighbours: EndedRequest[];

beforeAll(async () => {
  const dir = await tempDir('poison');
  poisonFolder = join(dir, 'crash-points', 'poison');
  await mkdir(poisonFolder, { recursive: true });
  const settings = {
    nats: { partitions: PARTITIONS },
    limits: { stageMaxAttempts: 1 },
    chaos: { crashPoints: join(dir, 'crash-points') },
  };
  running = await startRunningSystem({ dir, replicas: 1, log: () => {}, settings });
  bus = await connectOperator(running.system, 'poison');
  await sendPoison();
});

afterAll(async () => {
  await bus?.close();
  await running?.stop();
});

/** Sends both poison messages until they are dead-lettered, while other requests are submitted and answered. */
async function sendPoison(): Promise<void> {
  const plain = (input: string) => submit(running, 'plain', workspaceFiles('plain'), { input });
  const two = workspaceFiles('two', { pipeline: 'pipeline:\n  stages: [interview, execute]\n' });
  const sleeper = await submit(running, 'sleeper', SLEEPER, { input: {} });
  const asked = await plain('@echo ask colour?');
  answered = await plain('@echo ask colour?');
  prepared = await submit(running, 'two', two, { input: '@echo/interview ask colour?' });

  prepareSubject = `${PREPARE}.two.${prepared}`;
  await question(prepared); // its first preparation, under the same subject, is done
  await writeFile(join(poisonFolder, prepareSubject), '');
  await answer(prepared);
  const duringPreparation = eachCrash('runner-prep', async () => {
    await shortenAckWait();
    return plain('@echo answer during the preparation');
  });

  const run = { workspaceId: 'plain', runId: answered, effectId: await question(answered) };
  answerSubject = inboxSubject({ type: 'runtime.stage.completed', ...run }, PARTITIONS);
  await writeFile(join(poisonFolder, answerSubject), '');
  await answer(answered);
  const duringAnswer = eachCrash('control-bus', () => plain('@echo answer during the decision'));
  await answer(asked);

  const others = [sleeper, asked, ...(await duringPreparation), ...(await duringAnswer)];
  neighbours = await Promise.all(others.map((id) => endOf(running, id)));
  await Promise.all([endOf(running, answered), endOf(running, prepared)]);
}

/** A workspace process that sleeps. */
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

/** The effect of a request that waits for an answer. */
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

/** Submits a request after each crash of a service. */
async function eachCrash(name: string, submitOne: () => Promise<string>): Promise<string[]> {
  const submitted: string[] = [];
  for (let crash = 1; crash <= CRASHES; crash += 1) {
    const ended = () => (restarts()[name] ?? 0) >= crash;
    await until(ended, { what: `crash ${crash} of ${name}`, timeoutMs: CRASH_TIMEOUT_MS });
    submitted.push(await submitOne());
  }
  return submitted;
}

/**
 * Shortens the ack wait of the durable, so that messages of a crashed worker are redelivered sooner than after ten
 * seconds. The next worker resets it on start.
 */
async function shortenAckWait(): Promise<void> {
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

describe('a poison message', () => {
  test('crashes its consumer five times, and no other service; all are ready again', async () => {
    expect(restarts()).toEqual(
      Object.fromEntries(
        Object.keys(restarts()).map((name) => [name, ['control-bus', 'runner-prep'].includes(name) ? CRASHES : 0]),
      ),
    );
    await Promise.all(running.system.status().map(({ name }) => running.system.ready(name)));
    expect((await fetch(`${running.gateway.url}/readyz`)).status).toBe(200);
  });

  test('fails its request with delivery_crashed', async () => {
    for (const id of [answered, prepared])
      expect(await endOf(running, id)).toMatchObject({
        status: 'failed',
        error: { code: 'delivery_crashed', message: 'the process crashed every time it handled this message' },
      });
  });

  test('does not keep other requests from ending: waiting, sleeping or new ones', () => {
    expect(neighbours).toHaveLength(2 + 2 * CRASHES);
    expect(neighbours.map(({ status }) => status)).toEqual(neighbours.map(() => 'completed'));
  });

  test('is listed as a dead letter with its problem and data', async () => {
    const code = 'delivery_crashed';
    const letters = await deadLetters();
    expect(letters.map(({ subject, code: actual }) => `${actual} ${subject}`).sort()).toEqual(
      [`${code} ${answerSubject}`, `${code} ${prepareSubject}`].sort(),
    );
    for (const { seq, subject } of letters) {
      const { exit, json } = await reins<JsonObject>(running, 'dead', 'show', String(seq));
      expect(exit).toBe(0);
      expect(json).toMatchObject({ subject, problem: { code }, data: { requestId: expect.any(String) } });
    }
  });

  test('changes nothing when it is redriven after its request has ended', async () => {
    const before = await evidenceOf(running);
    const letters = await deadLetters();
    const seqs = letters.map(({ seq }) => String(seq));
    await Promise.all([answerSubject, prepareSubject].map((subject) => rm(join(poisonFolder, subject))));
    expect(await reins(running, 'dead', 'redrive', ...seqs)).toMatchObject({ exit: 0, json: { errors: [] } });
    await allRead();

    expect(await deadLetters()).toEqual([]);
    const after = await until(
      async () => {
        const seen = await evidenceOf(running);
        return seen.projection.ok && seen;
      },
      { what: 'a read model that matches the event log' },
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

test('`reins why` shows the causes of an event after a sleep', async () => {
  // Not the sleeper above: an owner that takes over after a crash wakes a run without the message of its timer.
  const undisturbed = await submit(running, 'sleeper', SLEEPER, { input: {} });
  await endOf(running, undisturbed);
  const { exit, json } = await reins<readonly JsonObject[]>(running, 'why', undisturbed);
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

/** Waits until the inbox and the preparations are empty. A worker acknowledges when its answer is in the inbox. */
async function allRead(): Promise<void> {
  const { jsm } = bus;
  await until(
    async () => {
      const { num_pending, num_ack_pending } = await jsm.consumers.info('EVENTS', workerDurable(PREPARE));
      return num_pending + num_ack_pending === 0;
    },
    { what: 'the acknowledged preparation' },
  );
  await until(async () => (await jsm.streams.info('INBOX')).state.messages === 0, { what: 'an empty inbox' });
}
