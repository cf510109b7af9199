import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@reins/contracts';
import { Workbench } from './testing/command-line.ts';

/** Cases by their numbers, through the command line: tasks, iterations, ends. */
const bench = new Workbench();
afterAll(() => bench.remove());

let runs = 0;

/** A run of a process with this body, iterated once. */
async function started(body: string, ...args: string[]) {
  runs += 1;
  const id = `run-${runs}`;
  const entry = bench.process(id, body);
  await bench.json(['run:create', '--run-id', id, '--entry', entry, ...args]);
  const iteration = await bench.reins(['run:iterate', id]);
  return { id, iteration: iteration.json };
}

const tasks = async (id: string, ...args: string[]) =>
  (await bench.json(['task:list', id, ...args])).tasks as JsonObject[];
const pending = async (id: string) => String((await tasks(id, '--pending'))[0]?.effectId);
const post = async (id: string, ...args: string[]) => bench.reins(['task:post', id, await pending(id), ...args]);
const ok = (id: string, value: unknown) => post(id, '--status', 'ok', '--value-inline', JSON.stringify(value));
const iterate = (id: string) => bench.reins(['run:iterate', id]);
const status = (id: string) => bench.json(['run:status', id]);
const types = async (id: string) =>
  ((await bench.json(['run:events', id])).events as JsonObject[]).map(({ type }) => type);

const ONE = 'return { a: await ctx.task(step, { n: 1 }) };';

describe('task:post', () => {
  test('case 47 and 48: a second post, one for an effect that is not there, one with another key', async () => {
    const { id } = await started(ONE);
    const effect = await pending(id);
    expect(await post(id, '--status', 'ok', '--value-inline', '1', '--invocation-key', 'x')).toMatchObject({ exit: 2 });
    expect(await ok(id, 1)).toMatchObject({ exit: 0 });
    const again = ['task:post', id, effect, '--status', 'ok', '--value-inline', '1'];
    expect(await bench.reins(again)).toMatchObject({ exit: 1, json: { error: { code: 'effect_not_pending' } } });
    expect(await bench.reins(['task:post', id, 'nobody', ...again.slice(3)])).toMatchObject({ exit: 1 });
  });

  test.each([
    ['no status', ['--value-inline', '1']],
    ['ok without a value', ['--status', 'ok']],
    ['ok with an error', ['--status', 'ok', '--value-inline', '1', '--error', 'x']],
    ['an error with a value', ['--status', 'error', '--value-inline', '1']],
    ['a value twice', ['--status', 'ok', '--value-inline', '1', '--value', '-']],
    ['a reference and a file', ['--status', 'ok', '--value-inline', '1', '--stdout-ref', 'a', '--stdout-file', 'b']],
    ['no JSON', ['--status', 'ok', '--value-inline', '{']],
  ])('cases 49 and 88: %s is wrong use, and nothing is written', async (_, args) => {
    const { id } = await started(ONE);
    expect(await post(id, ...args)).toMatchObject({ exit: 2 });
    expect(await types(id)).toEqual(['RUN_CREATED', 'EFFECT_REQUESTED']);
  });

  test('case 50: what the work wrote lies beside its result, and is named', async () => {
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

  test('case 51: what a command answers is held against its output schema before anything is written', async () => {
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

  test('case 52: after a post the stored state is at the head of the journal', async () => {
    const { id } = await started(ONE);
    await ok(id, 1);
    const { lastEvent, metadata } = await status(id);
    const { seq, ulid } = lastEvent as JsonObject;
    expect((metadata as JsonObject).journalHead).toEqual({ seq, ulid });
  });

  test('case 54: where approvals must be signed, an unsigned one is not stored, also without its task.json', async () => {
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

  test('case 88: an error is stored, and that is a success; a plain text is its message; of a command it is a result', async () => {
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

  test('a value from a file that stands relative to the run directory, and a large one by reference', async () => {
    const { id } = await started('return (await ctx.task(step, { n: 1 })).length;');
    writeFileSync(join(bench.runs, id, 'value.json'), JSON.stringify('x'.repeat(200_000)));
    expect(await post(id, '--status', 'ok', '--value', 'value.json')).toMatchObject({ exit: 0 });
    expect((await bench.json(['run:events', id])).events).toHaveLength(3);
    expect(JSON.stringify((await bench.json(['run:events', id])).events).length).toBeLessThan(10_000);
    expect((await iterate(id)).json).toMatchObject({ output: 200_000 });
  });

  test('many who post at once are all served; of two who post the same, one is', async () => {
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
  test('case 87: filtered; what may hold secrets is shown to who says so twice; a large result by reference', async () => {
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

  test('cases 53 and 89: cancelled is stored, rejects in the process, and cannot be cancelled again', async () => {
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

describe('run:status, run:events', () => {
  test('case 80: created, waiting, failed', async () => {
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

  test('case 81: filtered, reversed, limited; a limit of 0 is refused', async () => {
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

describe('rebuilding, verifying, halting, recovering', () => {
  test('case 82: a dry run leaves the state, a rebuild makes it again, and verifying tells', async () => {
    const { id } = await started(ONE);
    const file = join(bench.runs, id, 'state', 'state.json');
    rmSync(file);
    expect(await bench.reins(['run:verify', id])).toMatchObject({ exit: 1, json: { ok: false } });
    expect(await bench.json(['run:rebuild-state', id, '--dry-run'])).toMatchObject({ plan: 'rebuild_state_cache' });
    expect(existsSync(file)).toBe(false);
    const { metadata } = await bench.json(['run:rebuild-state', id]);
    expect(metadata).toMatchObject({ stateVersion: 2, stateRebuilt: true, stateRebuildReason: 'cli_manual' });
    expect(await bench.reins(['run:verify', id])).toMatchObject({ exit: 0, json: { ok: true, entries: 2 } });
  });

  test('a lost state directory of a completed run loses nothing', async () => {
    const { id } = await started('return { done: true };');
    rmSync(join(bench.runs, id, 'state'), { recursive: true });
    expect((await iterate(id)).json).toMatchObject({ status: 'completed', output: { done: true } });
  });

  test('case 84: completed, failed, an unknown status, a dry run; with effects pending the run has ended', async () => {
    const { id } = await started(ONE);
    expect(await bench.reins(['run:halt', id, '--status', 'weird'])).toMatchObject({ exit: 2 });
    expect(await bench.json(['run:halt', id, '--dry-run'])).toMatchObject({ halted: false });
    expect((await status(id)).state).toBe('waiting');
    expect(await bench.json(['run:halt', id, '--reason', 'enough'])).toMatchObject({ status: 'completed' });
    expect(await status(id)).toMatchObject({ state: 'completed', pendingByKind: {} });
    expect(await iterate(id)).toMatchObject({ exit: 0, json: { status: 'completed', output: null } });
    expect(await bench.reins(['run:halt', id])).toMatchObject({ exit: 1 });
    expect(await bench.json(['replay', id])).toMatchObject({ identical: true });
  });

  test('case 85: the error is taken out, a result patched where the process reads it; a bad patch changes nothing', async () => {
    const { id, iteration } = await started(
      'const a = await ctx.task(step, { n: 1 }); if (!a.b.ok) throw new TypeError("cannot use it"); return a;',
    );
    expect(iteration.status).toBe('waiting');
    const effect = await pending(id);
    await ok(id, { b: { ok: false } });
    expect(await iterate(id)).toMatchObject({
      exit: 1,
      json: { status: 'failed', reason: 'process-error: cannot use it' },
    });
    const recover = ['run:recover-process-error', id];
    const before = await types(id);
    expect(await bench.reins([...recover, '--patch-effect', `${effect}:x.y=1`])).toMatchObject({ exit: 1 });
    expect(await bench.reins([...recover, '--patch-effect', `${effect}:b.ok`])).toMatchObject({ exit: 2 });
    expect(await types(id)).toEqual(before);
    expect(await bench.json([...recover, '--patch-effect', `${effect}:b.ok=true`])).toMatchObject({ recovered: true });
    expect((await iterate(id)).json).toMatchObject({ status: 'completed', output: { b: { ok: true } } });
    expect(await bench.reins(recover)).toMatchObject({ exit: 1 });
  });

  test('case 86: a halted run is no success, and proves nothing', async () => {
    const { id, iteration } = await started('ctx.halt("stop", { why: 1 });');
    expect(iteration).toMatchObject({ status: 'halted', reason: 'stop', payload: { why: 1 } });
    const again = await iterate(id);
    expect(again.exit).toBe(1);
    expect(again.json.completionProof).toBeUndefined();
    expect(await status(id)).toMatchObject({ state: 'halted', reason: 'stop', payload: { why: 1 } });
  });

  test('a task error that nobody catches fails the run, and status says so', async () => {
    const { id } = await started(ONE);
    await post(id, '--status', 'error');
    expect(await iterate(id)).toMatchObject({ exit: 1, json: { status: 'failed' } });
    expect((await status(id)).state).toBe('failed');
  });
});

describe('processes', () => {
  test('case 40, put otherwise: scripts that lie beside the run decide nothing', async () => {
    const mark = join(bench.root, 'ran');
    for (const folder of ['.a5c/hooks/task.created', 'state/hooks/task.created'])
      bench.file(`${folder}/deny.sh`, `touch ${mark}; echo '{"decision":"deny"}'`);
    expect((await started(ONE)).iteration).toMatchObject({ status: 'waiting' });
    expect(existsSync(mark)).toBe(false);
  });

  test('case 46: arguments above 1 MiB lie beside task.json, and the task names them', async () => {
    const { id } = await started('return ctx.task(step, { n: "x".repeat(1_100_000) });');
    const [{ effectId, inputsRef }] = (await tasks(id)) as [{ effectId: string; inputsRef: string }];
    expect(inputsRef).toMatch(new RegExp(`^tasks/${effectId}/blobs/inputs-[0-9a-f]{64}\\.json$`));
    expect((bench.read(id, inputsRef) as { n: string }).n).toHaveLength(1_100_000);
    expect(bench.read(id, 'tasks', effectId, 'task.json')).toMatchObject({ inputsRef });
    const small = await started('return ctx.task(step, { n: "x" });');
    expect(await tasks(small.id)).toMatchObject([{ inputsRef: null }]);
  });

  test('case 44: variables that look like secrets are left out of the journal, and named', async () => {
    const env = '{ API_TOKEN: "s3cret", MY_PASSWORD: "s3cret", PLAIN: "1" }';
    const { id, iteration } = await started(
      `return ctx.task({ id: 'n', build: () => ({ kind: 'node', node: { entry: 'x', env: ${env} } }) }, {});`,
    );
    const [{ taskDef }] = iteration.nextActions as [JsonObject];
    expect(taskDef).toMatchObject({
      node: { env: { PLAIN: '1' } },
      metadata: { redactedEnvKeys: ['API_TOKEN', 'MY_PASSWORD'] },
    });
    expect(JSON.stringify(await bench.json(['run:events', id]))).not.toContain('s3cret');
  });

  test('case 45: a file of a task has a safe name and stays in its folder', async () => {
    const build = (work: string) =>
      `return ctx.task({ id: 't', build: (a, b) => ({ kind: 'node', ref: ${work} }) }, {});`;
    const { id, iteration } = await started(build('b.createBlobRef("../a b", { x: 1 })'));
    const [{ taskDef }] = iteration.nextActions as [{ taskDef: { ref: string } }];
    expect(taskDef.ref).toMatch(/^tasks\/[^/]+\/blobs\/a-b-[0-9a-f]{64}\.json$/);
    expect(bench.read(id, taskDef.ref)).toEqual({ x: 1 });
    for (const wrong of ['b.createBlobRef("", 1)', 'b.toTaskRelativePath("../x")', 'b.toTaskRelativePath("/x")'])
      expect((await started(build(wrong))).iteration.status).toBe('failed');
  });

  test('case 41: what a policy rule denies is not asked for, and fails the run; what it warns of goes on; both are logged', async () => {
    const rule = (action: string, operator = 'eq') => ({
      id: 'no-nodes',
      action,
      conditions: [{ field: 'effectKind', operator, value: 'node' }],
    });
    const governed = async (...policyRules: JsonObject[]) => {
      const file = bench.file('governance.json', JSON.stringify({ policyRules }));
      const { id, iteration } = await started(ONE, '--governance', file);
      return { status: iteration.status, types: await types(id) };
    };
    expect(await governed(rule('warn'), rule('deny'))).toEqual({
      status: 'failed',
      types: ['RUN_CREATED', 'PROCESS_LOG', 'RUN_FAILED'],
    });
    expect(await governed(rule('allow'), rule('warn'))).toEqual({
      status: 'waiting',
      types: ['RUN_CREATED', 'PROCESS_LOG', 'EFFECT_REQUESTED'],
    });
    expect(await governed(rule('deny', 'neq'))).toEqual({
      status: 'waiting',
      types: ['RUN_CREATED', 'EFFECT_REQUESTED'],
    });
    expect(await governed(rule('deny', 'sounds-like'))).toMatchObject({ status: 'failed' });
  });

  test.each([
    ['Deploy to Prod!', 'deploy-to-prod'],
    ['deploy.prod', 'deploy.prod'],
    [' ', 'breakpoint'],
  ])('case 61: the id of a breakpoint labelled %j is %j', async (label, id) => {
    const { iteration } = await started(`return ctx.breakpoint({}, { label: ${JSON.stringify(label)} });`);
    const [{ taskDef }] = iteration.nextActions as [JsonObject];
    expect(taskDef).toMatchObject({ subject: { detail: { breakpointId: id } } });
  });

  test('case 62, put right: a process inside a process is work that waits, and not an error', async () => {
    const { id, iteration } = await started('return (await ctx.subprocess({ processPath: "./child.mjs" })).output;');
    expect(iteration).toMatchObject({ status: 'waiting', reason: 'child-pending' });
    await ok(id, { output: 7 });
    expect((await iterate(id)).json).toMatchObject({ status: 'completed', output: 7 });
  });

  test('case 65: no more than maxConcurrency at a time, and what is undefined keeps its place', async () => {
    const { id, iteration } = await started(
      'return (await ctx.parallel.map([0, 1, 2], (n) => n === 1 ? undefined : ctx.task(step, { n }), { maxConcurrency: 1 })).map((x) => x ?? "none");',
    );
    expect(iteration).toMatchObject({ count: 1 });
    await ok(id, 'a');
    expect((await iterate(id)).json).toMatchObject({ count: 1 });
    await ok(id, 'c');
    expect((await iterate(id)).json).toMatchObject({ output: ['a', 'none', 'c'] });
  });
});
