import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openBucket } from '@reins/bus';
import type { JsonObject, JsonValue, RequestRecord } from '@reins/contracts';
import { type BuiltInProcess, processOf } from '@reins/control-bus/core';
import { foldRun, sealEntries } from '@reins/journal';
import { assignment, assignProcess, haltRun } from '@reins/replay';
import { openTrees } from '@reins/service-kit/installation';
import { treeFromEntries } from '@reins/workspace-tree';
import { type GatewayCall, RequestsSystem, UPLOADED } from './testing/requests-system.ts';

let system: RequestsSystem;
let calls: GatewayCall[];
/** What the owner of a run does with an assignment. */
let owned: (body: GatewayCall['body'], idempotencyKey: string) => Promise<unknown>;
const deadLetters: JsonValue[] = [];
const reins = (...args: string[]) => system.reins(...args);
const record = (...what: Parameters<RequestsSystem['record']>) => system.record(...what);

beforeAll(async () => {
  system = await RequestsSystem.start();
  calls = system.calls;
  system.onGet = () => ({ body: { deadLetters } });
  system.onCall = async ({ path, body }, idempotencyKey) => {
    if (path.endsWith('/process')) await owned(body, idempotencyKey);
  };
  await record('first', 'direct-tool', { toolId: 'echo', args: { n: 1 } });
  const other = await record('second', 'direct-tool', { toolId: 'echo', args: { n: 2 } });
  await other.post(other.pending[0]?.effectId as string, { status: 'ok', value: { output: 'done' } });
  await other.close();
});

afterAll(() => system.stop());

/** A process that decides differently from the recorded one. */
const otherCode: BuiltInProcess = {
  ...processOf('direct-tool'),
  run: (context) => context.effect('tool.direct', { toolId: 'other', args: {} }, { key: 'tool' }),
};

/** Assigns a process in place of the owner of the run, for the command with this key. */
async function assign(runId: string, id: string, idempotencyKey: string, inputs: JsonValue = null): Promise<void> {
  const run = { workspaceId: 'ws', runId };
  const { entries, head, position } = await system.journals.load(run);
  const given = { process: { id, codeHash: 'c' }, inputs, idempotencyKey };
  const drafts = assignment(foldRun(run, entries), given);
  await system.journals.append(run, { entries: sealEntries(head, drafts, NOW), epoch: 0 }, position);
}

const NOW = '2026-01-01T00:00:00.000Z';

const SHA = 'a'.repeat(64);
const STAGE = {
  stage: 'execute',
  runtimeId: 'pi',
  hostRequestRef: { sha256: SHA, size: 1 },
  tree: SHA,
};

const refusal = (idempotencyKey: string, problem: JsonObject): JsonObject => ({
  seq: deadLetters.length + 1,
  type: 'command.run.assign',
  idempotencyKey,
  problem,
});

const pendingTask = async () => (await reins('task:list', 'first', '--pending')).json.tasks[0].effectId as string;

test('run:events names a signal that nothing has waited for yet', async () => {
  const run = await record('signalled', 'direct-tool', { toolId: 'echo', args: { n: 3 } });
  await run.signal('payed', { amount: 5 });
  await run.close();
  const { out } = await system.reinsText('run:events', 'signalled', '--filter-type', 'SIGNAL_RECEIVED');
  expect(out).toMatch(/^3 \S+ SIGNAL_RECEIVED signal payed, kept\n$/);
});

test('a request has the field names of run directories', async () => {
  expect((await reins('run:status', 'first')).json).toMatchObject({
    requestId: 'first',
    state: 'waiting',
    pendingByKind: { 'tool.direct': 1 },
    lastEvent: { type: 'EFFECT_REQUESTED', seq: 2 },
  });
  expect((await reins('run:status', 'second')).json).toMatchObject({ state: 'completed' });
  const { json } = await reins('run:events', 'second', '--filter-type', 'run_completed');
  expect(json.events).toMatchObject([{ seq: 4, type: 'RUN_COMPLETED', data: { output: 'done' } }]);
  const effectId = await pendingTask();
  expect((await reins('task:show', 'first', effectId)).json).toMatchObject({
    effect: { effectId, kind: 'tool.direct', status: 'requested' },
    task: null,
  });
});

test('a change goes through the gateway if the journal allows it', async () => {
  const effectId = await pendingTask();
  const posted = await reins('task:post', 'first', effectId, '--status', 'ok', '--value-inline', '{"a":1}');
  expect(posted).toMatchObject({ exit: 0, json: { effectId, status: 'ok' } });
  await reins('task:cancel', 'first', effectId, '--reason', 'enough');
  await reins('task:invalidate', 'first', effectId);
  expect((await reins('run:halt', 'first', '--reason', 'over')).json).toMatchObject({ cancelledEffects: [effectId] });
  const at = '/api/v1/requests/first';
  expect(calls.splice(0)).toEqual([
    { path: `${at}/tasks/${effectId}/answer`, body: { value: { a: 1 } } },
    { path: `${at}/tasks/${effectId}/cancel`, body: { reason: 'enough' } },
    { path: `${at}/effects/${effectId}/invalidate`, body: {} },
    { path: `${at}/halt`, body: { reason: 'over' } },
  ]);
  expect(await reins('task:cancel', 'first', 'ef_none')).toMatchObject({ exit: 1 });
  expect((await reins('run:halt', 'second')).json.errors).toMatchObject([{ code: 'request_ended' }]);
  await reins('task:cancel', 'first', effectId, '--dry-run');
  expect(calls).toEqual([]);
});

test('a journal on the bus is replayed with its process, and every decision is compared', async () => {
  expect(await reins('replay', 'second', '--verify')).toMatchObject({
    exit: 0,
    json: { identical: true, verified: true, to: 4, decisions: 2, standing: 'completed' },
  });
  expect((await reins('replay', 'second', '--to', '2')).json).toMatchObject({ to: 2, standing: 'waiting', owed: [] });
  await (await record('third', 'direct-tool', { toolId: 'echo' }, otherCode)).close();
  const { exit, json } = await reins('replay', 'third');
  expect(exit).toBe(1);
  expect(json).toMatchObject({ identical: false, divergence: { error: { code: 'replay_nondeterminism' } } });
  expect(json.divergence.error.message).toContain('first at toolId');
});

test('a request can be compared, verified, and exported as a bundle', async () => {
  const { json } = await reins('diff', 'first', 'second');
  expect(json).toMatchObject({
    effects: [{ change: 'changed', kind: 'tool.direct', differs: ['arguments', 'status', 'result'] }],
    output: { same: false, a: null, b: 'done' },
    files: [],
  });
  expect((await reins('run:verify', 'second')).json).toMatchObject({ ok: true, entries: 4 });
  const bundle = join(system.folder, 'second.json');
  await reins('journal', 'export', 'second', '-o', bundle);
  expect((await reins('journal', 'import', bundle)).json).toMatchObject({ runId: 'second', entries: 4 });
  expect((await reins('diff', 'second', 'second')).json).toMatchObject({ effects: [], output: { same: true } });
});

test('child runs with equal requests are equal, whatever their ids are', async () => {
  const parent: BuiltInProcess = { ...processOf('direct-tool'), run: (context) => context.child('pipeline', { n: 1 }) };
  for (const runId of ['parent-a', 'parent-b']) await (await record(runId, 'direct-tool', {}, parent)).close();
  expect((await reins('diff', 'parent-a', 'parent-b')).json).toMatchObject({ effects: [] });
});

test('a fork is a request with the inputs of the original, except for the changes', async () => {
  const forked = await reins('fork', 'first', '--at', '2', '--model', 'openai/gpt-5', '--stage', 'execute=codex');
  expect(forked).toMatchObject({ exit: 0, json: { requestId: 'r', forkedFrom: { requestId: 'first', at: 2 } } });
  expect(calls.splice(0)).toMatchObject([
    {
      path: '/api/v1/requests',
      body: {
        workspace: { id: 'ws', revision: '0'.repeat(64) },
        process: 'direct-tool',
        input: { toolId: 'echo', args: { n: 1 } },
        model: 'openai/gpt-5',
        stages: { execute: 'codex' },
        fork: { requestId: 'first', at: 2 },
      },
    },
  ]);
  expect((await reins('fork', 'first', '--at', 'echo')).json).toMatchObject({ forkedFrom: { at: 1 } });
  expect(calls.splice(0)).toMatchObject([{ body: { fork: { requestId: 'first', at: 1 } } }]);
  expect((await reins('fork', 'first', '--at', '9')).json.errors).toMatchObject([{ code: 'wrong_usage' }]);
});

test('a fork at a stage of a child run names that run, and the effect to fork at', async () => {
  const parent: BuiltInProcess = {
    ...processOf('direct-tool'),
    run: (context) => context.child('stage', { stage: 'execute', input: 'Write it' }),
  };
  const run = await record('in-child', 'direct-tool', {}, parent);
  const effectId = String(run.pending[0]?.effectId);
  await run.close();
  const child = effectId.replace(/^ef_/, 'run_');
  expect((await reins('fork', 'in-child', '--at', 'execute')).json.errors).toMatchObject([
    {
      message: `--at execute: stage execute belongs to child run ${child}`,
      hint: `Pass --at ${effectId}, the effect that starts ${child}.`,
    },
  ]);
  expect((await reins('fork', 'in-child', '--at', effectId)).json).toMatchObject({ forkedFrom: { at: 1 } });
  calls.splice(0);
});

describe('requests assign', () => {
  const correct = (...more: string[]) =>
    reins('requests', 'assign', 'fixed', system.folder, '--process', 'direct-tool', ...more);

  test('uploads the folder and gives the process its code, without force', async () => {
    await (await record('fixed', 'direct-tool', { toolId: 'echo', args: {} })).close();
    owned = async (_, idempotencyKey) => {
      const run = { workspaceId: 'ws', runId: 'fixed' };
      const { head, position } = await system.journals.load(run);
      const data = { from: 'a', to: 'b', revision: UPLOADED, idempotencyKey };
      const entries = sealEntries(head, [{ type: 'PROCESS_CODE_CHANGED', data }], NOW);
      await system.journals.append(run, { entries, epoch: 0 }, position);
    };
    expect(await correct('--reason', 'a typo')).toEqual({
      exit: 0,
      json: { requestId: 'fixed', process: 'direct-tool', previous: 'direct-tool', status: 'assigned' },
    });
    const body = { process: 'direct-tool', revision: UPLOADED, reason: 'a typo' };
    const [uploaded, assigned] = calls.splice(0);
    expect(uploaded).toMatchObject({ path: '/api/v1/workspaces', body: { workspaceId: 'ws' } });
    expect(assigned).toEqual({ path: '/api/v1/requests/fixed/process', body });
  });

  test('without a folder, says that corrected code is in one', async () => {
    const { exit, json } = await reins('requests', 'assign', 'fixed', '--process', 'direct-tool');
    expect([exit, json.error.code]).toEqual([1, 'process_already_assigned']);
    expect(json.error.hint).toContain('`reins requests assign fixed <dir> --process direct-tool`');
    const other = await reins('requests', 'assign', 'fixed', '--process', 'pipeline');
    expect(other.json.error.hint).not.toContain('<dir>');
  });

  test('with a folder and another name, says which name corrects the code, and that force starts again', async () => {
    const { exit, json } = await reins('requests', 'assign', 'fixed', system.folder, '--process', 'pipelin');
    expect([exit, json.error.code]).toEqual([1, 'process_already_assigned']);
    expect(json.error.hint).toMatch(/use its name: `reins requests assign fixed .* --process direct-tool`/);
    expect(json.error.hint).toContain('With `--force`, pipelin starts from its beginning');
    expect(calls).toEqual([]);
  });

  test('reports the difference from the history', async () => {
    const refused = { code: 'replay_nondeterminism', message: 'the new code does not match the history of the run' };
    owned = async (_, idempotencyKey) => deadLetters.push(refusal(idempotencyKey, refused));
    const { exit, json } = await correct();
    expect([exit, json.errors]).toMatchObject([1, [refused]]);
    calls.splice(0);
  });

  test('needs the folder of the corrected code', async () => {
    const { exit, json } = await reins('requests', 'assign', 'fixed', '--process', 'direct-tool');
    expect([exit === 0, json.errors[0].code]).toEqual([false, 'process_already_assigned']);
    expect(calls).toEqual([]);
  });
});

describe('run:assign-process', () => {
  const given = ['--entry', 'direct-tool', '--inputs', '{"toolId":"echo"}'];

  test('assigns a process, and succeeds when the journal has the assignment', async () => {
    await (await record('bare', 'bare-run', null)).close();
    expect((await reins('run:assign-process', 'bare', ...given, '--dry-run')).json).toMatchObject({ assigned: false });
    expect(calls).toEqual([]);
    owned = ({ process, inputs }, idempotencyKey) => assign('bare', process, idempotencyKey, inputs);
    expect(await reins('run:assign-process', 'bare', ...given)).toEqual({
      exit: 0,
      json: {
        requestId: 'bare',
        entry: 'direct-tool',
        processId: 'direct-tool',
        previousEntrypoint: 'bare-run',
        force: false,
        assigned: true,
      },
    });
    const body = { process: 'direct-tool', inputs: { toolId: 'echo' } };
    expect(calls.splice(0)).toEqual([{ path: '/api/v1/requests/bare/process', body }]);
    expect((await reins('run:events', 'bare')).json.events).toHaveLength(2);
    expect((await reins('replay', 'bare')).json).toMatchObject({ identical: true });
    expect((await reins('run:status', 'bare')).json.metadata).toMatchObject({ process: 'direct-tool' });
  });

  test('replaces a process with --force, and a replay compares the decisions of each process', async () => {
    for (const [runId, built] of [
      ['forced', processOf('direct-tool')],
      ['otherwise', otherCode],
    ] as const) {
      const run = await record(runId, 'direct-tool', { toolId: 'echo' }, built);
      await run.close();
      const process = { id: 'workflow', codeHash: 'c' };
      await assignProcess({ store: system.journals, run: { workspaceId: 'ws', runId }, process, force: true });
    }
    expect((await reins('replay', 'forced')).json).toMatchObject({ identical: true });
    expect((await reins('replay', 'otherwise')).json).toMatchObject({
      identical: false,
      divergence: { error: { code: 'replay_nondeterminism' } },
      state: { effects: 1 },
    });
  });

  test.each([
    ['a request that has a process', 'first', ['--entry', 'direct-tool'], 'process_already_assigned'],
    ['a request that has ended', 'second', ['--entry', 'direct-tool', '--force'], 'request_ended'],
    ['an unknown process', 'first', ['--entry', 'other', '--force'], 'process_unknown'],
    ['a missing module', 'first', ['--entry', 'process/none.ts#x', '--force'], 'process_not_found'],
    ['an export without a module', 'first', ['--entry', '#x', '--force'], 'wrong_usage'],
    ['a process name', 'first', ['--entry', 'direct-tool', '--process-id', 'x'], 'wrong_usage'],
  ])('refuses %s, and sends no command', async (_what, request, flags, code) => {
    const { exit, json } = await reins('run:assign-process', request, ...flags);
    expect([exit === 0, json.errors[0].code]).toEqual([false, code]);
    expect(calls).toEqual([]);
  });

  test('reports why the run refused the assignment', async () => {
    const refused = { code: 'process_already_assigned', message: 'another caller was faster' };
    owned = async (_, idempotencyKey) => deadLetters.push(refusal(idempotencyKey, refused));
    const { exit, json } = await reins('run:assign-process', 'first', ...given, '--force');
    expect([exit, json.errors]).toMatchObject([1, [refused]]);
    expect(calls.splice(0)).toMatchObject([{ body: { force: true } }]);
  });

  test('does not mistake the assignment of another caller for its own, even with the same process', async () => {
    const refused = { code: 'process_already_assigned', message: 'another caller was faster' };
    await (await record('faster', 'bare-run', null)).close();
    owned = async ({ process }, idempotencyKey) => {
      await assign('faster', process, 'of another caller');
      deadLetters.push(refusal(idempotencyKey, refused));
    };
    const { exit, json } = await reins('run:assign-process', 'faster', ...given);
    expect([exit, json.errors]).toMatchObject([1, [refused]]);
    calls.splice(0);
  });

  test('does not mistake the refusal of another caller for its own, and waits for its own outcome', async () => {
    await (await record('slower', 'bare-run', null)).close();
    owned = async ({ process }, idempotencyKey) => {
      deadLetters.push(refusal('of another caller', { code: 'process_not_found', message: 'not yours' }));
      const answer = system.onGet;
      system.onGet = (path) => {
        system.onGet = answer;
        void assign('slower', process, idempotencyKey);
        return answer(path);
      };
    };
    expect(await reins('run:assign-process', 'slower', ...given)).toMatchObject({ exit: 0, json: { assigned: true } });
    calls.splice(0);
  });

  test('suggests a fork for a request that ended before the assignment', async () => {
    const run = { workspaceId: 'ws', runId: 'over' };
    await (await record('over', 'bare-run', null)).close();
    owned = () => haltRun({ store: system.journals, run, reason: 'enough', as: 'halted' });
    expect((await reins('run:assign-process', 'over', ...given)).json.errors).toMatchObject([
      { code: 'request_ended', path: 'over', hint: expect.stringContaining('reins fork over') },
    ]);
    calls.splice(0);
    expect((await reins('run:assign-process', 'over', ...given)).json.errors).toMatchObject([
      { code: 'request_ended', path: 'over', hint: expect.stringContaining('Fork the run') },
    ]);
    expect(calls).toEqual([]);
  });
});

test('diff compares the files that the stages of child runs left', async () => {
  const trees = await openTrees(system.bus);
  for (const [requestId, content] of [
    ['left', 'one'],
    ['right', 'two'],
  ] as const) {
    const { treeId } = await trees.put(treeFromEntries([{ path: 'a.txt', content }]));
    const parent = await record(requestId, 'test#parent', null, {
      ...processOf('direct-tool'),
      run: (context) => context.child('stage', {}),
    });
    const [child] = parent.pending;
    await parent.close();
    const run = await record(String(child?.request.childRequestId), 'stage', null, {
      ...processOf('direct-tool'),
      run: (context) => context.effect('stage', STAGE),
    });
    await run.post(String(run.pending[0]?.effectId), { status: 'ok', value: { output: 'done', tree: treeId } });
    await run.close();
  }
  expect((await reins('diff', 'left', 'right')).json.files).toEqual([{ path: 'a.txt', change: 'changed' }]);
  expect((await reins('diff', 'left', 'left')).json.files).toEqual([]);
});

test('reports a name that is neither a directory nor a request', async () => {
  expect((await reins('run:status', 'unknown')).json.errors).toMatchObject([
    { code: 'request_not_found', path: 'unknown' },
  ]);
});

test('says that the run of a request has expired', async () => {
  const requests = await openBucket<RequestRecord>(system.bus, 'requests');
  const head = { workspaceId: 'ws', sessionId: 's', agentId: 'main', bodyHash: '' };
  const at = '2026-01-01T00:00:00.000Z';
  await requests.put('run.gone', { ...head, requestId: 'gone', acceptedAt: at, expiredAt: at });
  const errors = [{ code: 'run_expired', path: 'gone' }];
  for (const command of [
    ['run:status', 'gone'],
    ['fork', 'gone', '--at', '1'],
    ['diff', 'gone', 'gone'],
    ['replay', 'gone'],
  ])
    expect((await reins(...command)).json.errors).toMatchObject(errors);
});
