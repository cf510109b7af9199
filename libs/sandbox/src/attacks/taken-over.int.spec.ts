import { hash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { JsonValue } from '@reins/contracts';
import { tempDir } from '@reins/testing';
import { PROCESS, requested, TakenOverRun } from '../testing/taken-over.ts';

const TASK = requested('task', { kind: 'node', taskId: 't' });
const STEP = requested('step', { name: 's' });
const [task, step] = [JSON.stringify(TASK), JSON.stringify(STEP)];
const due = (more: object) =>
  JSON.stringify({
    effectId: STEP.data.effectId,
    name: 's',
    attempt: 1,
    notBefore: 0,
    timeoutMs: 1000,
    maxAttempts: 1,
    ...more,
  });
const log = (label: string) => `{ type: 'PROCESS_LOG', data: { label: '${label}', message: 1 } }`;
const completed = (more = '') => `{ type: 'RUN_COMPLETED', data: { output: 1 ${more} } }`;
const cancelled = (more: string) =>
  `{ type: 'EFFECT_CANCELLED', data: { effectId: '${TASK.data.effectId}', attempt: 1, reason: 'no', confirmed: false ${more} } }`;
const changed = (more: object) => JSON.stringify({ ...TASK, data: { ...TASK.data, ...more } });
const error = `{ code: 'x', message: 'y' }`;

/** What a child sends in its first turn. The run then waits for an operator, and its journal contains none of it. */
const IMPOSSIBLE: Readonly<Record<string, string>> = {
  'a completion without an end': `turn({ state: 'completed' })`,
  'a failure without an end': `turn({ state: 'failed' })`,
  'a halt without an end': `turn({ state: 'halted' })`,
  'a cancellation without a request': `turn({ state: 'cancelled' })`,
  'an error without an entry': `turn({ state: 'broken' })`,
  'a divergence without one': `turn({ state: 'diverged' })`,
  'an end, and that it waits': `turn({ drafts: [${completed()}] })`,
  'an end, and another state': `turn({ drafts: [${completed()}], state: 'failed' })`,
  'two ends': `turn({ drafts: [${completed()}, { type: 'RUN_FAILED', data: { error: ${error} } }], state: 'failed' })`,
  'an end with an error of its host': `turn({ drafts: [{ type: 'RUN_FAILED', data: { error: { code: 'sandbox_unavailable', message: 'x' } } }], state: 'failed' })`,
  'an error of its host': `turn({ drafts: [{ type: 'PROCESS_RUNTIME_ERROR', data: { error: { code: 'bus_unavailable', message: 'x' }, expiresAt: '1970-01-01T00:00:00.000Z' } }], state: 'broken' })`,
  'an entry after the end': `turn({ drafts: [${completed()}, ${log('x')}], state: 'completed' })`,
  'a signal in the name of a user': `turn({ drafts: [{ type: 'SIGNAL_RECEIVED', data: { name: 'approved', payload: true, from: { kind: 'user', id: 'admin' } } }] })`,
  'an approval': `turn({ drafts: [{ type: 'APPROVAL_RESOLVED', data: { approvalId: 'a', approved: true } }] })`,
  'the result of a task': `turn({ drafts: [${task}, { type: 'EFFECT_RESOLVED', data: { effectId: '${TASK.data.effectId}', attempt: 1, status: 'ok', value: 1 } }] })`,
  'an assignment by an operator': `turn({ drafts: [{ type: 'PROCESS_ASSIGNED', data: { process: ${JSON.stringify(PROCESS)}, inputs: 1, requestedBy: 'admin' } }] })`,
  'another process': `turn({ drafts: [{ type: 'PROCESS_ASSIGNED', data: { process: { id: 'other.mjs', codeHash: 'x' }, inputs: 1 } }] })`,
  'other code': `turn({ drafts: [{ type: 'PROCESS_ASSIGNED', data: { process: { id: '${PROCESS.id}', codeHash: 'x' }, inputs: 1 } }] })`,
  'an end that others decided': `turn({ drafts: [${log('run:halt')}, ${completed()}], state: 'completed' })`,
  'a sealed end': `turn({ drafts: [${completed(`, sealed: 'told'`)}], state: 'completed' })`,
  'an output by reference': `turn({ drafts: [${completed(`, outputRef: { sha256: '${'a'.repeat(64)}', size: 1, mediaType: 'application/json' }`)}], state: 'completed' })`,
  'a request by reference': `turn({ drafts: [${changed({ requestRef: { sha256: 'a'.repeat(64), size: 1, mediaType: 'application/json' } })}] })`,
  'the id of the effect of another run': `turn({ drafts: [${changed({ effectId: `ef_${'0'.repeat(24)}` })}] })`,
  'one effect twice': `turn({ drafts: [${task}, ${task}] })`,
  'a later attempt': `turn({ drafts: [${changed({ attempt: 2 })}] })`,
  'another hash of its arguments': `turn({ drafts: [${changed({ argsHash: '0'.repeat(64) })}] })`,
  'limits without an end': `turn({ drafts: [${changed({ limits: { ...TASK.data.limits, runForMs: 1e300 } })}] })`,
  'an unknown kind': `turn({ drafts: [${JSON.stringify(requested('deploy', {}))}] })`,
  'an invalid request': `turn({ drafts: [${JSON.stringify(requested('sleep', { expiresAt: 'never' }))}] })`,
  'the cancellation of what it did not request': `turn({ drafts: [${cancelled('')}] })`,
  'a confirmed cancellation': `turn({ drafts: [${task}, ${cancelled(', confirmed: true')}] })`,
  'the cancellation of another attempt': `turn({ drafts: [${task}, ${cancelled(', attempt: 2')}] })`,
  'an error that waits for years': `turn({ drafts: [{ type: 'PROCESS_RUNTIME_ERROR', data: { error: ${error}, expiresAt: '2999-01-01T00:00:00.000Z' } }], state: 'broken' })`,
  'that it waits for what it did not request': `turn({ awaited: ['${TASK.data.effectId}'] })`,
  'a step that was never requested': `turn({ steps: [${due({})}] })`,
  'a task as a step': `turn({ drafts: [${task}], steps: [${due({ effectId: TASK.data.effectId })}] })`,
  'another attempt at a step': `turn({ drafts: [${step}], steps: [${due({ attempt: 2 })}] })`,
  'another name of a step': `turn({ drafts: [${step}], steps: [${due({ name: 'deploy' })}] })`,
  'a step at the end of time': `turn({ drafts: [${step}], steps: [${due({ notBefore: 1e300 })}] })`,
  'a step without a limit': `turn({ drafts: [${step}], steps: [${due({ timeoutMs: 1e300 })}] })`,
  'a divergence that is an error of the host': `turn({ state: 'diverged', divergence: { expected: 1, actual: 2, error: { code: 'journal_fenced', message: 'x' } } })`,
  'a value that the journal does not name': `send({ type: 'load-value', call: 1, ref: { sha256: 'a'.repeat(64), path: '../../etc/shadow', bytes: 1 } })`,
  'a file with the content of another': `send({ type: 'file', path: 'tasks/t/blobs/result.json', content: '1' })`,
  'a file outside of tasks': `send({ type: 'file', path: 'tasks/../blobs/x.json', content: '1' })`,
  'a message that is too deep': `write(Buffer.concat([Buffer.from([0, 6, 0x1a, 0x80]), Buffer.from('['.repeat(200000) + ']'.repeat(200000))]))`,
  'a message without a type': `send({})`,
  'a message of another kind': `send({ type: 'constructor' })`,
  'a second start': `send({ type: 'ready' })`,
};

describe('a child that was taken over cannot make its owner accept', () => {
  test.each(Object.entries(IMPOSSIBLE))('%s', async (_, code) => {
    const run = new TakenOverRun(`receive(); ${code}; receive();`, { runDir: await tempDir('taken-over') });
    const local = await run.create();
    await local.close();
    expect([local.processState, local.state.processError?.error.code]).toEqual(['broken', 'process_crashed']);
    expect(await run.types()).toEqual(['RUN_CREATED', 'PROCESS_RUNTIME_ERROR']);
  });

  test.each([
    ['a frame that is too large', `write(Buffer.from([255, 255, 255, 255]))`],
    ['too many bytes', `for (;;) send({ type: 'console', text: 'x'.repeat(10000) })`],
    [
      'too many files',
      `const { createHash } = require('node:crypto');
       for (let i = 0; ; i += 1) send({ type: 'file', path: 'tasks/t/blobs/b-' + createHash('sha256').update('' + i).digest('hex') + '.txt', content: '' + i })`,
    ],
  ])('%s', async (_, code) => {
    const run = new TakenOverRun(`receive(); ${code}; receive();`, { runDir: await tempDir('taken-over') });
    const local = await run.create();
    await local.close();
    expect([local.processState, local.state.processError?.error.code]).toEqual(['broken', 'process_output_too_large']);
  });

  test('endless restarts', async () => {
    const assigned = `{ type: 'PROCESS_ASSIGNED', data: { process: ${JSON.stringify(PROCESS)}, inputs: 1 } }`;
    const run = new TakenOverRun(`receive(); turn({ drafts: [${assigned}] }); receive();`);
    const local = await run.create();
    await local.close();
    expect(local.state.processError?.error.message).toMatch(/continued as new more than 100 times/);
  });

  test('an error of the host', async () => {
    const run = new TakenOverRun(
      `receive(); send({ type: 'failed', error: { code: 'journal_fenced', message: 'x' } });`,
    );
    await expect(run.create()).rejects.toMatchObject({ code: 'process_invalid' });
  });

  test.each([
    ['of another attempt', { attempt: 2 }],
    ['of another effect', { effectId: TASK.data.effectId }],
    ['by reference', { valueRef: { sha256: 'a'.repeat(64), size: 1, mediaType: 'application/json' } }],
  ])('a result %s', async (_, more) => {
    const result = { effectId: STEP.data.effectId, attempt: 1, status: 'ok', value: 'forged', ...more };
    const stepped = JSON.stringify({
      type: 'stepped',
      effectId: STEP.data.effectId,
      draft: { type: 'EFFECT_RESOLVED', data: result },
    });
    const run = new TakenOverRun(
      `receive(); turn({ drafts: [${step}], steps: [${due({})}], awaited: ['${STEP.data.effectId}'] }); receive(); send(${stepped}); receive();`,
    );
    const local = await run.create().catch((thrown: unknown) => thrown);
    const { entries } = await run.store.load({ workspaceId: 'local', runId: 'run-1' });
    expect(local).toBeDefined();
    expect(JSON.stringify(entries)).not.toContain('forged');
  });

  test('the load of more values than it was given', async () => {
    const ref = { sha256: 'b'.repeat(64), size: 1, mediaType: 'application/json' };
    let loads = 0;
    const blobs = {
      put: async () => ref,
      get: async (): Promise<JsonValue> => {
        loads += 1;
        return 'x'.repeat(1024);
      },
    };
    const asked = `for (let i = 0; i < 100; i += 1) send({ type: 'load-value', call: i, ref: { sha256: '${ref.sha256}' } });`;
    const run = new TakenOverRun(`receive(); ${asked} receive();`, { blobs });
    const local = await run.create('x'.repeat(100_000));
    await local.close();
    expect(local.state.processError?.error.code).toBe('process_crashed');
    expect(loads).toBeLessThanOrEqual(2); // One for each child.
  });

  test('control characters, or endless console output', async () => {
    const lines: string[] = [];
    const run = new TakenOverRun(
      `receive(); for (let i = 0; i < 20000; i += 1) send({ type: 'console', text: '\\u001b[2Jx' }); turn({ drafts: [${completed()}], state: 'completed' }); receive();`,
      { console: (line) => void lines.push(line) },
    );
    const local = await run.create();
    await local.close();
    expect(lines).toHaveLength(10_001);
    expect(lines[0]).toBe('\ufffd[2Jx');
    expect(lines.at(-1)).toBe('further lines of this turn were dropped');
  });

  test('a file of a task that it did not request', async () => {
    const runDir = await tempDir('taken-over');
    const file = (effectId: string) => `tasks/${effectId}/blobs/b-${hash('sha256', '1')}.json`;
    const sent = (effectId: string) => `send({ type: 'file', path: '${file(effectId)}', content: '1' });`;
    const run = new TakenOverRun(
      `receive(); ${sent('ef_other')} ${sent(TASK.data.effectId)} turn({ drafts: [${task}], awaited: ['${TASK.data.effectId}'] }); receive();`,
      { runDir },
    );
    const local = await run.create();
    await local.close();
    expect(local.processState).toBe('waiting');
    expect([file('ef_other'), file(TASK.data.effectId)].map((path) => existsSync(join(runDir, path)))).toEqual([
      false,
      true,
    ]);
  });

  test.each([
    ['the file', 'blobs', (file: string) => file],
    ['its folder', '', (file: string) => dirname(file)],
  ])('a link of a run directory from elsewhere, in place of %s', async (_, below, placeOf) => {
    const runDir = await tempDir('taken-over');
    const victim = join(await tempDir('victim'), below === '' ? '' : 'profile');
    if (below !== '') writeFileSync(victim, 'mine');
    const file = `tasks/${TASK.data.effectId}/blobs/b-${hash('sha256', '1')}.json`;
    const place = join(runDir, placeOf(file));
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(victim, place);
    const run = new TakenOverRun(
      `receive(); send({ type: 'file', path: '${file}', content: '1' }); turn({ drafts: [${task}] }); receive();`,
      { runDir },
    );
    const outcome = await run.create().then(
      (local) => local.close(),
      (error: unknown) => error,
    );
    if (below === '') {
      expect(outcome).toMatchObject({ code: 'process_access_refused' });
      expect(readdirSync(victim)).toEqual([]);
    } else {
      expect(readFileSync(victim, 'utf8')).toBe('mine');
      expect(lstatSync(place).isFile()).toBe(true);
    }
  });

  test('a request that a policy rule denies', async () => {
    const conditions = [{ field: 'effectKind', operator: 'eq', value: 'node' }] as const;
    const governance = { policyRules: [{ id: 'no-node', action: 'deny', conditions }] } as const;
    const run = new TakenOverRun(`receive(); turn({ drafts: [${step}, ${task}] }); receive();`, { governance });
    const local = await run.create();
    await local.close();
    expect(local.state.end).toMatchObject({
      status: 'failed',
      error: { name: 'RunFailedError', message: 'a policy rule denies task t: no-node' },
    });
    expect(await run.types()).toEqual(['RUN_CREATED', 'PROCESS_LOG', 'PROCESS_LOG', 'RUN_FAILED']);
    expect(local.state.effects.size).toBe(0);
    // The run stays readable, regardless of its child.
    expect((await run.open()).state.end?.status).toBe('failed');
  });
});
