import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@reins/contracts';
import { Workbench } from './testing/command-line.ts';
import { drivenRuns } from './testing/driven-runs.ts';

/** Numbered compatibility cases, through the CLI: tasks, and the status of runs. */
const bench = await Workbench.make();
afterAll(() => bench.remove());

const { started, tasks, pending, post, ok, iterate, status, types } = drivenRuns(bench);
const ONE = 'return { a: await ctx.task(step, { n: 1 }) };';

describe('task:post', () => {
  test('refuses a second post, an unknown effect, and another key', async () => {
    const { id } = await started(ONE);
    const effect = await pending(id);
    expect(await post(id, '--status', 'ok', '--value-inline', '1', '--invocation-key', 'x')).toMatchObject({ exit: 2 });
    expect(await ok(id, 1)).toMatchObject({ exit: 0 });
    const again = ['task:post', id, effect, '--status', 'ok', '--value-inline', '1'];
    expect(await bench.reins(again)).toMatchObject({ exit: 1, json: { error: { code: 'effect_not_pending' } } });
    expect(await bench.reins(['task:post', id, 'unknown', ...again.slice(3)])).toMatchObject({ exit: 1 });
  });

  test.each([
    ['no status', ['--value-inline', '1']],
    ['ok without a value', ['--status', 'ok']],
    ['ok with an error', ['--status', 'ok', '--value-inline', '1', '--error', 'x']],
    ['an error with a value', ['--status', 'error', '--value-inline', '1']],
    ['a value twice', ['--status', 'ok', '--value-inline', '1', '--value', '-']],
    ['a reference and a file', ['--status', 'ok', '--value-inline', '1', '--stdout-ref', 'a', '--stdout-file', 'b']],
    ['no JSON', ['--status', 'ok', '--value-inline', '{']],
  ])('%s is wrong usage, and nothing is written', async (_, args) => {
    const { id } = await started(ONE);
    expect(await post(id, ...args)).toMatchObject({ exit: 2 });
    expect(await types(id)).toEqual(['RUN_CREATED', 'EFFECT_REQUESTED']);
  });

  test('stores and names the output files of the work next to the result', async () => {
    const { id } = await started(ONE);
    const [out, err] = [bench.file('out.txt', 'hello\n'), bench.file('err.txt', 'oh\n')];
    const effect = await pending(id);
    const { json } = await post(
      id,
      '--status',
      'ok',
      '--value-inline',
      '1',
      '--stdout-file',
      out,
      '--stderr-file',
      err,
    );
    const stdoutRef = `tasks/${effect}/stdout.log`;
    expect(json).toMatchObject({
      status: 'ok',
      stdoutRef,
      committed: { stdoutRef, resultRef: `tasks/${effect}/result.json` },
    });
    expect(readFileSync(join(bench.runs, id, stdoutRef), 'utf8')).toBe('hello\n');
    expect(await tasks(id)).toMatchObject([
      { status: 'resolved_ok', stdoutRef, stderrRef: `tasks/${effect}/stderr.log` },
    ]);
    expect((await iterate(id)).json).toMatchObject({ status: 'completed', output: { a: 1 } });
  });

  test('validates shell output against the output schema before anything is written', async () => {
    const schema = '{ type: "object", required: ["n"], properties: { n: { type: "number" } } }';
    const { id } = await started(`return ctx.task(shell, { outputSchema: ${schema} });`);
    expect(await ok(id, { n: 'x' })).toMatchObject({ exit: 1, json: { error: { code: 'request_invalid' } } });
    expect(await types(id)).toEqual(['RUN_CREATED', 'EFFECT_REQUESTED']);
    expect(await ok(id, { n: 1 })).toMatchObject({ exit: 0 });
    for (const none of ['false', 'undefined']) {
      const free = await started(`return ctx.task(shell, { outputSchema: ${none} });`);
      expect(await ok(free.id, { n: 'x' })).toMatchObject({ exit: 0 });
    }
  });

  test('after a post the stored state is at the head of the journal', async () => {
    const { id } = await started(ONE);
    await ok(id, 1);
    const { lastEvent, metadata } = await status(id);
    const { seq, ulid } = lastEvent as JsonObject;
    expect((metadata as JsonObject).journalHead).toEqual({ seq, ulid });
  });

  test('refuses an unsigned approval where signatures are required, also without task.json', async () => {
    const { id } = await started('return ctx.breakpoint({ q: "?" }, { label: "Ship" });');
    const effect = await pending(id);
    const approve = ['task:post', id, effect, '--status', 'ok', '--value-inline', '{"approved":true}'];
    const env = { POLICY_CONFIG_ROOT_FP: 'abc' };
    expect(await bench.reins(approve, env)).toMatchObject({ exit: 1 });
    rmSync(join(bench.runs, id, 'tasks', effect, 'task.json'));
    expect(await bench.reins(approve, env)).toMatchObject({ exit: 1 });
    expect(await tasks(id, '--pending')).toHaveLength(1);
    expect(await bench.reins(approve)).toMatchObject({ exit: 0 });
  });

  test.each(['no', false, { approved: 'yes' }, { approved: null }, ['approve']])(
    'refuses %j as the answer to a breakpoint, which stays pending',
    async (answer) => {
      const { id } = await started('return ctx.breakpoint({ question: "Ship?" });');
      const refused = await ok(id, answer);
      expect(refused).toMatchObject({ exit: 1, json: { error: { code: 'answer_invalid' } } });
      expect(JSON.stringify(refused.json)).toContain('{\\"approved\\": true | false');
      expect(await tasks(id, '--pending')).toHaveLength(1);
    },
  );

  test.each([
    ['deny', { approved: false }],
    [
      { approved: true, level: 2 },
      { approved: true, level: 2 },
    ],
    [{ choice: 'blue' }, { choice: 'blue' }],
  ])('the answer %j to a breakpoint reaches the process as %j', async (answer, received) => {
    const { id } = await started('return ctx.breakpoint({ question: "Ship?" });');
    expect(await ok(id, answer)).toMatchObject({ exit: 0 });
    expect((await iterate(id)).json).toMatchObject({ status: 'completed', output: received });
  });

  test('stores an error, with plain text as its message, and turns a shell failure into a value', async () => {
    const { id } = await started('try { await ctx.task(step, { n: 1 }); } catch (e) { return e.message; }');
    const file = bench.file('error.txt', 'it broke\n');
    expect(await post(id, '--status', 'error', '--error', file)).toMatchObject({ exit: 0, json: { status: 'error' } });
    expect((await iterate(id)).json).toMatchObject({ status: 'completed', output: 'it broke' });
    const sh = await started('return ctx.task(shell, {});');
    expect((await post(sh.id, '--status', 'error')).json).toMatchObject({ status: 'ok', normalizedShellFailure: true });
    expect((await iterate(sh.id)).json.output).toMatchObject({
      success: false,
      exitCode: 1,
      error: 'Task reported failure',
    });
  });

  test.each([
    'ctx.task(step, { n: 1 })',
    'ctx.breakpoint({ question: "go?" })',
    'ctx.sleepUntil("2099-01-01T00:00:00Z")',
    'ctx.orchestratorTask({ do: "sync" })',
  ])('%s rejects with the name and data of the posted error, and fails the run with its name', async (asked) => {
    const file = bench.file('named.json', JSON.stringify({ name: 'Refused', message: 'no', data: { by: 'owner' } }));
    const caught = await started(
      `try { await ${asked}; } catch ({ name, message, data }) { return [name, message, data]; }`,
    );
    await post(caught.id, '--status', 'error', '--error', file);
    expect((await iterate(caught.id)).json).toMatchObject({ output: ['Refused', 'no', { by: 'owner' }] });
    const uncaught = await started(`await ${asked};`);
    await post(uncaught.id, '--status', 'error', '--error', file);
    expect((await iterate(uncaught.id)).json).toMatchObject({
      status: 'failed',
      error: { name: 'Refused', message: 'no' },
    });
  });

  test('reads a value file relative to the run directory, and stores a large value by reference', async () => {
    const { id } = await started('return (await ctx.task(step, { n: 1 })).length;');
    writeFileSync(join(bench.runs, id, 'value.json'), JSON.stringify('x'.repeat(200_000)));
    expect(await post(id, '--status', 'ok', '--value', 'value.json')).toMatchObject({ exit: 0 });
    expect((await bench.json(['run:events', id])).events).toHaveLength(3);
    expect(JSON.stringify((await bench.json(['run:events', id])).events).length).toBeLessThan(10_000);
    expect((await iterate(id)).json).toMatchObject({ output: 200_000 });
  });

  test('concurrent posts all succeed; of two posts to one effect, one does', async () => {
    const { id } = await started('return ctx.parallel.map([1, 2, 3, 4, 5, 6], (n) => ctx.task(step, { n }));');
    const effects = (await tasks(id)).map(({ effectId }) => String(effectId));
    const all = [...effects, ...effects].map((effect) =>
      bench.reins(['task:post', id, effect, '--status', 'ok', '--value-inline', JSON.stringify(effect)]),
    );
    const exits = (await Promise.all(all)).map(({ exit }) => exit);
    expect(exits.toSorted()).toEqual([...Array(6).fill(0), ...Array(6).fill(1)]);
    const output = (await iterate(id)).json.output as string[];
    expect(output.toSorted()).toEqual(effects.toSorted());
    expect(await bench.reins(['run:verify', id])).toMatchObject({ exit: 0 });
  });

  test('a dry run stores nothing', async () => {
    const { id } = await started(ONE);
    expect((await post(id, '--status', 'ok', '--value-inline', '1', '--dry-run')).json).toMatchObject({ dryRun: true });
    expect(await types(id)).toHaveLength(2);
  });
});

describe('task:list, task:show, task:cancel', () => {
  test('filters the tasks, shows possible secrets only with both opt-ins, and shows a large result by reference', async () => {
    const { id } = await started(
      'await ctx.parallel.all([() => ctx.task(step, { n: 1 }), () => ctx.task(shell, {})]);',
    );
    expect((await tasks(id)).map(({ kind }) => kind).toSorted()).toEqual(['node', 'shell']);
    expect(await tasks(id, '--kind', 'NODE')).toHaveLength(1);
    const [node] = await tasks(id, '--kind', 'node');
    const effect = String(node?.effectId);
    await bench.json(['task:post', id, effect, '--status', 'ok', '--value-inline', '"secret"']);
    expect(await tasks(id, '--pending')).toMatchObject([{ kind: 'shell' }]);
    const show = ['task:show', id, effect];
    expect(await bench.json(show)).toMatchObject({ effect: { effectId: effect }, task: null, result: null });
    expect((await bench.json([...show, '--verbose'])).result).toBeNull();
    const open = { BABYSITTER_ALLOW_SECRET_LOGS: '1' };
    expect(await bench.json([...show, '--verbose'], open)).toMatchObject({
      result: { status: 'ok' },
      task: { taskId: 'step' },
    });
    writeFileSync(join(bench.runs, id, 'tasks', effect, 'result.json'), JSON.stringify('x'.repeat(1_100_000)));
    expect(await bench.json([...show, '--verbose'], open)).toMatchObject({
      result: null,
      largeResult: `tasks/${effect}/result.json`,
    });
  });

  test('stores a cancellation, rejects in the process, and cannot cancel again', async () => {
    const { id } = await started(
      'try { await ctx.task(step, { n: 1 }); } catch (e) { return { name: e.name, reason: e.reason }; }',
    );
    const effect = await pending(id);
    const cancel = ['task:cancel', id, effect, '--reason', 'not needed'];
    expect(await bench.json([...cancel, '--dry-run'])).toMatchObject({ dryRun: true });
    expect(await bench.json(cancel)).toMatchObject({ effectId: effect, status: 'cancelled' });
    expect(bench.read(id, 'tasks', effect, 'result.json')).toMatchObject({ status: 'cancelled' });
    expect(await types(id)).toContain('EFFECT_CANCELLED');
    expect(await bench.reins(cancel)).toMatchObject({ exit: 1 });
    expect((await iterate(id)).json.output).toEqual({ name: 'EffectCancelledError', reason: 'not needed' });
  });
});

describe('task:invalidate', () => {
  test('an invalidated effect and everything after it is requested again, without the old results', async () => {
    const { id } = await started(
      'const a = await ctx.task(step, { n: 1 }); return [a, await ctx.task(step, { n: 2 })];',
    );
    const effect = await pending(id);
    await ok(id, 'wrong');
    await iterate(id);
    const invalidate = ['task:invalidate', id, effect, '--reason', 'flaky'];
    expect(await bench.json([...invalidate, '--dry-run'])).toMatchObject({ invalidated: false });
    const { cancelledEffects } = await bench.json(invalidate);
    expect(cancelledEffects).toHaveLength(1);
    expect((await iterate(id)).json).toMatchObject({
      status: 'waiting',
      count: 1,
      nextActions: [{ effectId: effect }],
    });
    const [again] = await tasks(id);
    expect([again?.status, again?.resolvedAt]).toEqual(['requested', undefined]);
    expect(await bench.json(['run:repair-journal', id, '--dry-run'])).toMatchObject({ whole: true, rescued: [] });
    await ok(id, 'right');
    await iterate(id);
    await ok(id, 2);
    expect((await iterate(id)).json).toMatchObject({ status: 'completed', output: ['right', 2] });
    expect(await bench.json(['replay', id, '--verify'])).toMatchObject({ identical: true, verified: true });
    expect(await bench.reins(invalidate)).toMatchObject({ exit: 1 });
  });
});

describe('run:status, run:events', () => {
  test('reports the states created, waiting and failed', async () => {
    const entry = bench.process('fresh', ONE);
    await bench.json(['run:create', '--run-id', 'fresh', '--entry', entry]);
    expect(await status('fresh')).toMatchObject({ state: 'created', pendingByKind: {}, needsMoreIterations: false });
    await iterate('fresh');
    expect(await status('fresh')).toMatchObject({
      state: 'waiting',
      pendingByKind: { node: 1 },
      needsMoreIterations: true,
    });
    await bench.json(['run:halt', 'fresh', '--status', 'failed']);
    expect(await status('fresh')).toMatchObject({ state: 'failed', pendingByKind: {} });
  });

  test('a run that waits only for people needs no iteration, and reports its labels', async () => {
    const asks = `return ctx.parallel.all([
      () => ctx.breakpoint({ question: 'go?' }),
      () => ctx.orchestratorTask({ do: 'sync' }),
      () => ctx.sleepUntil('2099-01-01T00:00:00Z'),
      () => ctx.task(step, { n: 1 }, { label: ' padded ' }),
    ]);`;
    const { id } = await started(asks);
    expect(await status(id)).toMatchObject({ state: 'waiting', needsMoreIterations: true });
    const asked = (await tasks(id)).toSorted((a, b) => (String(a.label) < String(b.label) ? -1 : 1));
    expect(asked).toMatchObject([
      { label: 'breakpoint', labels: ['breakpoint'] },
      { label: 'orchestrator-task', labels: ['orchestrator-task'] },
      { label: 'padded', labels: ['padded'] },
      { label: 'sleep:2099-01-01T00:00:00.000Z', labels: ['sleep:2099-01-01T00:00:00.000Z'] },
    ]);
    await bench.json(['task:post', id, String(asked[2]?.effectId), '--status', 'ok', '--value-inline', '1']);
    expect(await status(id)).toMatchObject({ state: 'waiting', needsMoreIterations: false });
  });

  test('a process without inputs gets its default parameters', async () => {
    const entry = bench.file(
      'defaults.mjs',
      'export async function process({ target = "all" } = {}) { return { target }; }',
    );
    const { runId } = await bench.json(['run:create', '--entry', entry]);
    expect((await iterate(String(runId))).json).toMatchObject({ status: 'completed', output: { target: 'all' } });
  });

  test('filters, reverses and limits the events; refuses a limit of 0', async () => {
    const { id } = await started(ONE);
    await ok(id, 1);
    const events = async (...args: string[]) =>
      ((await bench.json(['run:events', id, ...args])).events as JsonObject[]).map(({ seq }) => seq);
    expect(await events('--reverse')).toEqual([3, 2, 1]);
    expect(await events('--reverse', '--limit', '1')).toEqual([3]);
    expect(await events('--filter-type', 'effect_requested')).toEqual([2]);
    expect(await bench.reins(['run:events', id, '--limit', '0'])).toMatchObject({ exit: 2 });
  });
});
