import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Bus, connectBus, DeadLetters, provision, readSubject } from '@reins/bus';
import {
  type AnyEvent,
  type CommandRunSubmit,
  type EventOf,
  isObject,
  type JsonValue,
  journalSubject,
} from '@reins/contracts';
import { decodeCommit, type Entry } from '@reins/journal';
import { openTrees } from '@reins/service-kit';
import { startNats, type TestNats, until } from '@reins/testing';
import { treeFromEntries } from '@reins/workspace-tree';
import { BusOwner, headOf, PARTITIONS, submission } from '../testing/bus-owner.ts';
import { processOf } from './registry.ts';
import { WorkspaceProcesses } from './workspace-processes.ts';

const WORKSPACE = 'agents: {id: a, model: m}\nmcp_registry: {servers: {}}\nprocess: process/main.ts#ship\n';

const FILES: Readonly<Record<string, string>> = {
  'workspace.yaml': WORKSPACE,
  'process/main.ts': `
    import { readFileSync } from 'node:fs';
    import { double } from '../lib/double.js';
    const ask = { id: 'ask', build: (args: { n: number }) => ({ kind: 'node', title: 'Ask ' + args.n }) };
    export async function ship(inputs: { n: number }, ctx: any) {
      const drawn = [Math.random(), Date.now(), ctx.uuid()];
      const first = await ctx.step('double', () => double(inputs.n));
      const answer = await ctx.task(ask, { n: first }, { key: 'ask' });
      await ctx.sleepUntil(new Date(ctx.now().getTime() + 300));
      const both = await ctx.parallel.all([
        () => ctx.step('left', () => 'l' + answer),
        async () => { await ctx.sleepUntil(new Date(ctx.now().getTime() + 100)); return 'r'; },
      ]);
      const greeting = readFileSync(new URL('./greeting.txt', import.meta.url), 'utf8');
      return { first, answer, both, greeting, drawn };
    }
    export const busy = async () => { for (;;); };
    export const gone = async (_: unknown, ctx: any) => { await ctx.step('end', () => { process.kill(process.pid); }, { maxAttempts: 1 }); };
    export const inputSchema = { not: { type: 'object', required: ['wrong'] } };
    export const echo = async (input: unknown, ctx: any) => ({ input, request: ctx.request, child: await ctx.child('process/main.ts#within', 1) });
    export const within = async (_: unknown, ctx: any) => ctx.request;
    export const typo = async (_: unknown, ctx: any) => { const n = await ctx.task(ask, { n: 1 }, { key: 'ask' }); throw new Error('a typo'); };
    export const stuck = () => new Promise(() => {});
    export const mistaken = async () => { throw new TypeError('it is mistaken'); };
    export const parent = async (inputs: unknown, ctx: any) => ctx.child('process/main.ts#child', 4);
    export const child = async (n: number) => n + 1;
  `,
  'process/greeting.txt': 'hello',
  'process/wild.ts': `import 'node:http'; export const process = async () => 1;`,
  'lib/double.js': 'export const double = (n) => n * 2;',
  'notes.md': 'not for processes',
};

let nats: TestNats;
let bus: Bus;
let revision: string;
const owners: { readonly owner: BusOwner; readonly authored: WorkspaceProcesses }[] = [];

beforeAll(async () => {
  nats = await startNats();
  bus = await connectBus({ servers: nats.url, name: 'test' });
  await provision(bus, { managed: 'self', partitions: PARTITIONS, replicas: 1, runtimeIds: [] });
  const tree = treeFromEntries(Object.entries(FILES).map(([path, content]) => ({ path, content })));
  revision = (await (await openTrees(bus)).put(tree)).treeId;
  await own();
});

afterAll(async () => {
  for (const { owner, authored } of owners) {
    await owner.stop().catch(() => undefined);
    await authored.close();
  }
  await bus.close();
  await nats.stop();
});

async function own(): Promise<void> {
  const authored = new WorkspaceProcesses(await openTrees(bus), { turnMs: 5_000 });
  owners.push({ authored, owner: await BusOwner.start(nats.url, processOf, { authored }) });
}

const current = (): BusOwner => owners.at(-1)?.owner as BusOwner;

const submit = (requestId: string, input: JsonValue, process?: string): CommandRunSubmit =>
  submission(requestId, { revision, input, ...(process && { process }) });

/** Resolves with the run's next event of the type. */
function nextEvent(type: string, requestId: string): Promise<AnyEvent> {
  const { promise, resolve } = Promise.withResolvers<AnyEvent>();
  const subscription = bus.nc.subscribe(`${type}.ws.${requestId}`, {
    callback: (_, message) => {
      subscription.unsubscribe();
      resolve(message.json<AnyEvent>());
    },
  });
  return promise;
}

async function journal(runId: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const { data } of readSubject(bus, 'JOURNAL', journalSubject({ workspaceId: 'ws', runId }, PARTITIONS)))
    entries.push(...decodeCommit(data, runId).entries);
  return entries;
}

const answer = async (requestId: string, asked: AnyEvent): Promise<void> => {
  const { effectId } = asked as unknown as { effectId: string };
  const head = { ...headOf(requestId), idempotencyKey: 'answer' };
  await current().send({ type: 'command.run.answer', ...head, effectId, answer: 'yes', answeredBy: 'somebody' });
};

/** The command that assigns a workspace process to a request. */
const assigned = (requestId: string, more: object): EventOf<'command.run.assign'> => ({
  type: 'command.run.assign',
  ...headOf(requestId),
  idempotencyKey: 'assign',
  process: 'process/main.ts#ship',
  ...more,
});

describe('a workspace process on the control bus', () => {
  test('runs the requests of its workspace, with the same result when its owner crashes', async () => {
    for (const requestId of ['whole', 'broken']) {
      const asked = nextEvent('runtime.task.requested', requestId);
      const done = nextEvent('runtime.request.completed', requestId);
      await current().send(submit(requestId, { n: 21 }));
      const task = await asked;
      if (requestId === 'broken') {
        await current().kill();
        await own();
      }
      await answer(requestId, task);
      const { output } = (await done) as unknown as { output: JsonValue };
      expect(output).toMatchObject({ first: 42, answer: 'yes', both: ['lyes', 'r'], greeting: 'hello' });
      const entries = await journal(requestId);
      expect(entries[0]).toMatchObject({
        type: 'RUN_CREATED',
        data: { process: { id: 'process/main.ts#ship', codeHash: expect.stringMatching(/^[0-9a-f]{64}$/) } },
      });
      const asks = entries.filter(({ type }) => type === 'EFFECT_REQUESTED').length;
      const answers = entries.filter(({ type }) => type === 'EFFECT_RESOLVED').length;
      expect([asks, answers]).toEqual([5, 5]);
      expect(entries.map(({ type }) => type)).not.toContain('PROCESS_CODE_CHANGED');
    }
  });

  test('starts child runs by the names of its own processes', async () => {
    const done = nextEvent('runtime.request.completed', 'parent');
    await current().send(submit('parent', null, 'process/main.ts#parent'));
    expect(await done).toMatchObject({ output: 5 });
  });

  test.each([
    ['busy', 'process_timed_out'],
    ['mistaken', 'process_failed'],
    ['stuck', 'process_invalid'],
  ])('%s: waits for an operator', async (name, code) => {
    const waiting = nextEvent('runtime.request.waiting', name);
    await current().send(submit(name, null, `process/main.ts#${name}`));
    expect(await waiting).toMatchObject({ reason: 'operator', expiresAt: expect.any(String) });
    const last = (await journal(name)).at(-1);
    expect(last).toMatchObject({ type: 'PROCESS_RUNTIME_ERROR', data: { error: { code } } });
  });

  test('receives the options of its request, and so do its child runs', async () => {
    const words = { attachments: [{ sha256: 'a'.repeat(64), size: 1 }], model: 'm', metadata: { ticket: 7 } };
    const done = nextEvent('runtime.request.completed', 'echo');
    await current().send({ ...submit('echo', 'hello', 'process/main.ts#echo'), ...words });
    expect(await done).toMatchObject({ output: { input: 'hello', request: words, child: words } });
  });

  test('is not started with an input that does not match its inputSchema', async () => {
    const failed = nextEvent('runtime.request.failed', 'unfit');
    await current().send(submit('unfit', { n: 1, wrong: true }));
    expect(await failed).toMatchObject({ error: { code: 'request_invalid', path: 'input' } });
    expect((await journal('unfit')).map(({ type }) => type)).toEqual(['RUN_CREATED', 'RUN_FAILED']);
  });

  test.each([
    ['missing', 'process/none.ts', 'process_not_found'],
    ['unexported', 'process/main.ts#none', 'process_export_missing'],
    ['wild', 'process/wild.ts', 'process_import_refused'],
  ])('fails its request immediately when it cannot be started: %s', async (requestId, process, code) => {
    const failed = nextEvent('runtime.request.failed', requestId);
    await current().send(submit(requestId, null, process));
    expect(await failed).toMatchObject({ error: { code } });
  });

  test('is assigned to a request without a process, also after a takeover', async () => {
    const waiting = nextEvent('runtime.request.waiting', 'bare');
    await current().send(submit('bare', { n: 1 }, 'bare-run'));
    expect(await waiting).toMatchObject({ reason: 'process', effectId: 'bare' });
    await current().kill();
    await own();
    const asked = nextEvent('runtime.task.requested', 'bare');
    const done = nextEvent('runtime.request.completed', 'bare');
    await current().send(assigned('bare', { inputs: { n: 21 } }));
    await answer('bare', await asked);
    expect(await done).toMatchObject({ output: { first: 42, answer: 'yes' } });
    const [, given] = await journal('bare');
    expect(given?.data).toMatchObject({
      process: { id: 'process/main.ts#ship', codeHash: expect.stringMatching(/^[0-9a-f]{64}$/) },
      previous: { id: 'bare-run' },
    });
  });

  test.each([
    ['input', { inputs: { wrong: true } }, 'request_invalid'],
    ['module', { process: 'process/none.ts' }, 'process_not_found'],
  ])('leaves the request unchanged when it cannot be assigned: %s', async (requestId, fields, code) => {
    await current().send(submit(requestId, null, 'bare-run'), assigned(requestId, fields));
    const letters = new DeadLetters(bus);
    const refusal = async () => (await letters.list()).find(({ subject }) => subject.includes(`.${requestId}`));
    expect(await until(refusal)).toMatchObject({ problem: { code } });
    expect((await journal(requestId)).map(({ type }) => type)).toEqual(['RUN_CREATED']);
  });

  test('fails at the step that ends its sandbox', async () => {
    const failed = nextEvent('runtime.request.failed', 'gone');
    await current().send(submit('gone', null, 'process/main.ts#gone'));
    const event = await failed;
    expect(isObject(event) && event.error).toBeTruthy();
  });
});

describe('corrected code of a workspace process', () => {
  const upload = async (change: (code: string) => string): Promise<string> => {
    const files = Object.entries({ ...FILES, 'process/main.ts': change(String(FILES['process/main.ts'])) });
    const tree = treeFromEntries(files.map(([path, content]) => ({ path, content })));
    return (await (await openTrees(bus)).put(tree)).treeId;
  };
  const correct = (requestId: string, more: object): Promise<void> =>
    current().send(assigned(requestId, { process: 'process/main.ts#typo', ...more }));

  test('comes from its revision, continues with the recorded results, and is used after a crash of the owner', async () => {
    const asked = nextEvent('runtime.task.requested', 'typo');
    await current().send(submit('typo', { n: 1 }, 'process/main.ts#typo'));
    const failed = nextEvent('runtime.request.waiting', 'typo');
    await answer('typo', await asked);
    expect(await failed).toMatchObject({ reason: 'operator', message: expect.stringContaining('a typo') });
    const other = await upload((code) => code.replace("{ n: 1 }, { key: 'ask' }", "{ n: 2 }, { key: 'ask' }"));
    await correct('typo', { idempotencyKey: 'other', revision: other });
    const dead = await until(
      async () => (await new DeadLetters(bus).list()).find(({ subject }) => subject.includes('.typo')),
      { what: 'the refusal' },
    );
    expect(JSON.stringify(dead)).toContain('with different arguments, first at');
    const fixed = await upload((code) =>
      code.replace(
        "throw new Error('a typo');",
        'await ctx.sleepUntil(new Date(ctx.now().getTime() + 300)); return n;',
      ),
    );
    const done = nextEvent('runtime.request.completed', 'typo');
    await correct('typo', { idempotencyKey: 'fixed', revision: fixed });
    const requested = async () => (await journal('typo')).filter(({ type }) => type === 'EFFECT_REQUESTED');
    await until(async () => (await requested()).length > 1, { what: 'the sleep, which may already be over' });
    await current().kill();
    await own();
    expect(await done).toMatchObject({ output: 'yes' });
  });
});
