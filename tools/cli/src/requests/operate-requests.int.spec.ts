import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openBucket, readSubject } from '@reins/bus';
import type { JsonObject } from '@reins/contracts';
import { type BuiltInProcess, processOf } from '@reins/control-bus/core';
import { type EntryDraft, foldRun, sealEntries } from '@reins/journal';
import { RequestsSystem } from './testing/requests-system.ts';

let system: RequestsSystem;
const reins = (...args: string[]) => system.reins(...args);
const AT = '/api/v1/requests';

beforeAll(async () => {
  system = await RequestsSystem.start();
});

afterAll(() => system.stop());

/** Records a request whose single task is completed. */
async function completed(runId: string): Promise<void> {
  const run = await system.record(runId, 'direct-tool', { toolId: 'echo', args: {} });
  await run.post(run.pending[0]?.effectId as string, { status: 'ok', value: { output: 'done' } });
  await run.close();
}

/** Records a request that waits for its single task. */
const waiting = async (runId: string, process?: BuiltInProcess): Promise<void> =>
  (await system.record(runId, 'direct-tool', { toolId: 'echo', args: {} }, process)).close();

/** Appends to a journal, in place of the owner of the run. */
async function append(runId: string, ...drafts: EntryDraft[]): Promise<void> {
  const run = { workspaceId: 'ws', runId };
  const { head, position } = await system.journals.load(run);
  const entries = sealEntries(head, drafts, '2026-01-01T00:00:00.000Z');
  await system.journals.append(run, { entries, epoch: 1 }, position);
}

async function messages(runId: string): Promise<Uint8Array[]> {
  const found: Uint8Array[] = [];
  for await (const { data } of readSubject(system.bus, 'JOURNAL', system.subjectOf(runId))) found.push(data);
  return found;
}

/** Replaces the journal with these messages. */
async function rewrite(runId: string, ...data: (Uint8Array | string | undefined)[]): Promise<void> {
  await system.bus.jsm.streams.purge('JOURNAL', { filter: system.subjectOf(runId) });
  for (const one of data) if (one !== undefined) await system.bus.js.publish(system.subjectOf(runId), one);
}

describe('run:iterate of a request reports its status and changes nothing', () => {
  test('what a request waits for', async () => {
    await waiting('waits');
    const before = await messages('waits');
    expect(await reins('run:iterate', 'waits')).toMatchObject({
      exit: 0,
      json: {
        iteration: 1,
        status: 'waiting',
        action: 'waiting',
        reason: 'tool.direct-pending',
        count: 1,
        nextActions: [{ kind: 'tool.direct', taskDef: { toolId: 'echo' }, schedulerHints: { pendingCount: 1 } }],
        metadata: { runId: 'waits', processId: 'direct-tool', stateVersion: 2, journalHead: { seq: 2 } },
      },
    });
    expect(await messages('waits')).toEqual(before);
    expect(system.calls).toEqual([]);
  });

  test('that an operator paused the request', async () => {
    await waiting('paused');
    await append('paused', { type: 'RUN_PAUSED', data: { idempotencyKey: 'p' } });
    expect(await reins('run:iterate', 'paused')).toMatchObject({
      exit: 0,
      json: { status: 'waiting', reason: 'paused' },
    });
    expect((await reins('run:status', 'paused')).json).toMatchObject({ state: 'waiting', reason: 'operator' });
  });

  test('how a request ended', async () => {
    await completed('done');
    expect(await reins('run:iterate', 'done')).toMatchObject({
      exit: 0,
      json: { iteration: 2, status: 'completed', reason: 'completed', output: 'done' },
    });
    await waiting('failed');
    const error = { code: 'effect_timed_out', message: 'too late' };
    await append('failed', { type: 'RUN_FAILED', data: { error } });
    expect(await reins('run:iterate', 'failed')).toMatchObject({ exit: 1, json: { status: 'failed', error } });
    expect((await reins('run:status', 'failed')).json).toMatchObject({ state: 'failed', reason: null, error });
  });

  test('a failed or diverged process, as a failure', async () => {
    const expiresAt = '2026-01-02T00:00:00.000Z';
    const error = { code: 'internal_error', message: 'it broke' };
    await waiting('broken');
    await append('broken', { type: 'PROCESS_RUNTIME_ERROR', data: { error, expiresAt } });
    expect(await reins('run:iterate', 'broken')).toMatchObject({
      exit: 1,
      json: { status: 'failed', reason: 'process-error: it broke', error },
    });
    expect((await reins('run:status', 'broken')).json).toMatchObject({ state: 'waiting', reason: 'operator', error });
    await waiting('other');
    const differs = { code: 'replay_nondeterminism', message: 'the journal has a, the process asked for b' };
    const data = { error: differs, effectId: 'e', expected: 'a', actual: 'b', expiresAt };
    await append('other', { type: 'PROCESS_RUNTIME_ERROR', data });
    expect(await reins('run:iterate', 'other')).toMatchObject({
      exit: 1,
      json: {
        status: 'failed',
        reason: 'replay_nondeterminism',
        error: differs,
        divergence: { effectId: 'e', expected: 'a', actual: 'b' },
      },
    });
  });
});

describe('run:recover-process-error of a request', () => {
  test('resumes the request; the error stays in the journal', async () => {
    const error = { code: 'internal_error', message: 'it broke' };
    await waiting('fixed');
    await append('fixed', { type: 'PROCESS_RUNTIME_ERROR', data: { error, expiresAt: '2026-01-02T00:00:00.000Z' } });
    expect(await reins('run:recover-process-error', 'fixed', '--dry-run')).toMatchObject({
      json: { dryRun: true, errorSeq: 3, recovered: false },
    });
    expect(system.calls).toEqual([]);
    expect(await reins('run:recover-process-error', 'fixed')).toMatchObject({
      exit: 0,
      json: { requestId: 'fixed', errorSeq: 3, removedSeq: null, recovered: true },
    });
    expect(system.calls.splice(0)).toEqual([{ path: `${AT}/fixed/resume`, body: {} }]);
  });

  test('refuses unsupported changes and suggests alternatives', async () => {
    await waiting('well');
    expect(await reins('run:recover-process-error', 'well')).toMatchObject({
      exit: 1,
      json: { error: { code: 'process_not_broken', hint: expect.stringContaining('reins fork well') } },
    });
    expect(await reins('run:recover-process-error', 'well', '--patch-effect', 'e:a=1')).toMatchObject({
      exit: 2,
      json: { error: { code: 'wrong_usage', hint: expect.stringContaining('task:invalidate well') } },
    });
    expect(system.calls).toEqual([]);
  });
});

describe('run:repair-journal of a request', () => {
  test('changes nothing if the journal is intact', async () => {
    await completed('whole');
    expect(await reins('run:repair-journal', 'whole')).toMatchObject({
      exit: 0,
      json: { requestId: 'whole', whole: true, repaired: false, dropped: [], journal: { keptEvents: 4 } },
    });
    expect(system.calls).toEqual([]);
  });

  test('reports what it would drop and why; then a new run continues from the rest, and the corrupted journal stays', async () => {
    await completed('torn');
    const [begun, ended] = await messages('torn');
    await rewrite('torn', begun, 'no commit', ended);
    expect(await reins('run:verify', 'torn')).toMatchObject({
      exit: 1,
      json: { problems: [{ hint: expect.stringContaining('run:repair-journal torn --dry-run') }] },
    });
    const dropped = [
      { name: expect.stringMatching(/^sequence \d+$/), why: expect.stringContaining('not JSON') },
      { name: 'entry 4', type: 'RUN_COMPLETED', why: expect.stringContaining('the new run leaves it out') },
    ];
    const report = { requestId: 'torn', journal: { originalCommits: 3, keptEvents: 3, droppedCorrupt: 2 }, dropped };
    expect(await reins('run:repair-journal', 'torn', '--dry-run')).toMatchObject({
      exit: 0,
      json: { ...report, dryRun: true, repaired: false, whole: false },
    });
    expect(system.calls).toEqual([]);
    expect(await reins('run:repair-journal', 'torn')).toMatchObject({
      exit: 0,
      json: { ...report, repaired: true, repairedAs: 'r', forkedFrom: { requestId: 'torn', at: 3 } },
    });
    const input = { toolId: 'echo', args: {} };
    expect(system.calls.splice(0)).toMatchObject([
      { path: AT, body: { process: 'direct-tool', input, fork: { requestId: 'torn', at: 3 } } },
    ]);
    expect(await messages('torn')).toHaveLength(3);
  });

  test('halts a corrupted run that is still open', async () => {
    await waiting('alive');
    await system.bus.js.publish(system.subjectOf('alive'), 'no commit');
    expect(await reins('run:repair-journal', 'alive')).toMatchObject({ json: { repaired: true, warnings: [] } });
    expect(system.calls.splice(0)).toMatchObject([
      { path: AT, body: { fork: { requestId: 'alive', at: 2 } } },
      { path: `${AT}/alive/halt`, body: { reason: expect.stringContaining('corrupted') } },
    ]);
  });

  test('fails when no entry can be kept, or when the process does not reproduce the rest', async () => {
    await completed('headless');
    const [, ended] = await messages('headless');
    await rewrite('headless', ended);
    const plan = await reins('run:repair-journal', 'headless', '--dry-run');
    expect(plan).toMatchObject({ exit: 0, json: { journal: { keptEvents: 0 }, dropped: [{}, {}] } });
    expect(plan.json.warnings).toContain('entries 1 to 2 are lost');
    expect(await reins('run:repair-journal', 'headless')).toMatchObject({
      exit: 1,
      json: { error: { code: 'journal_corrupt', path: 'headless', hint: expect.stringContaining('--dry-run') } },
    });
    await waiting('strange', {
      ...processOf('direct-tool'),
      run: (context) => context.effect('tool.direct', { toolId: 'other', args: {} }, { key: 'tool' }),
    });
    await system.bus.js.publish(system.subjectOf('strange'), 'no commit');
    expect(await reins('run:repair-journal', 'strange')).toMatchObject({
      exit: 1,
      json: { error: { code: 'replay_nondeterminism' } },
    });
    expect(system.calls).toEqual([]);
  });
});

describe('run:rebuild-state of a request', () => {
  const response: JsonObject = {
    requestId: 'derived',
    workspaceId: 'ws',
    sessionId: 'derived',
    agentId: 'main',
    status: 'completed',
    output: 'done',
    updatedAt: '2026-01-01T00:00:00.000Z',
    stages: [],
    approvals: [],
  };
  const comparedWith = (stub: { readonly status?: number; readonly body: JsonObject }, ...flags: string[]) => {
    system.onGet = () => stub;
    return reins('run:rebuild-state', 'derived', ...flags);
  };

  test('compares the derived state with the journal and suggests a remedy', async () => {
    await completed('derived');
    const { entries } = await system.journals.load({ workspaceId: 'ws', runId: 'derived' });
    const { sessionId, agentId } = foldRun({ workspaceId: 'ws', runId: 'derived' }, entries);
    const right = { ...response, sessionId, agentId };
    expect(await comparedWith({ body: right })).toMatchObject({
      exit: 0,
      json: { requestId: 'derived', drift: 'none', differences: [], made: [], metadata: { stateVersion: 4 } },
    });
    expect(await comparedWith({ body: { ...right, status: 'running', output: null } })).toMatchObject({
      exit: 1,
      json: {
        drift: 'stale',
        differences: [
          { path: 'status', journal: 'completed', told: 'running' },
          { path: 'output', journal: 'done', told: null },
        ],
        mend: expect.stringContaining('reins projections rebuild'),
      },
    });
    const problem = { code: 'request_not_found', detail: 'there is no request derived' };
    expect(await comparedWith({ status: 404, body: problem }, '--dry-run')).toMatchObject({
      exit: 0,
      json: { dryRun: true, drift: 'missing' },
    });
    const sessions = await openBucket(system.bus, 'sessions');
    const held = { state: {}, queued: [], running: { requestId: 'derived' } };
    await sessions.put(`ws.${right.sessionId}`, held);
    expect(await comparedWith({ body: right })).toMatchObject({
      exit: 1,
      json: { drift: 'stale', differences: [{ path: 'session.running', journal: null, told: 'derived' }] },
    });
  });

  test('names the stage whose row differs', async () => {
    const [sha256, tree] = ['a'.repeat(64), 'b'.repeat(64)];
    const hostRequestRef = { sha256, size: 1 };
    const request = { stage: 'execute', runtimeId: 'pi', runtimeSource: 'default', hostRequestRef, tree };
    await waiting('staged', {
      ...processOf('direct-tool'),
      run: (context) => context.effect('stage', request, { key: 'stage' }),
    });
    system.onGet = () => ({ body: { status: 'running', stages: [] } });
    const { json } = await reins('run:rebuild-state', 'staged', '--dry-run');
    expect(json.differences).toContainEqual({
      path: expect.stringMatching(/^stages\.execute\.1\.ef_.*\.runtimeId$/),
      journal: 'pi',
      told: null,
    });
  });

  test('refuses a corrupted journal', async () => {
    await rewrite('corrupted', 'no commit');
    expect(await reins('run:rebuild-state', 'corrupted')).toMatchObject({
      exit: 1,
      json: { error: { code: 'journal_corrupt', hint: expect.stringContaining('run:repair-journal corrupted') } },
    });
  });
});
