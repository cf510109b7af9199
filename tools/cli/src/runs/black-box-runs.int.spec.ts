import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@reins/contracts';
import { Workbench } from './testing/command-line.ts';
import { drivenRuns } from './testing/driven-runs.ts';

/** Numbered compatibility cases, through the CLI: repairing and ending runs, and process features. */
const bench = await Workbench.make();
afterAll(() => bench.remove());

const { started, tasks, pending, post, ok, iterate, status, types } = drivenRuns(bench);
const ONE = 'return { a: await ctx.task(step, { n: 1 }) };';

describe('rebuilding, verifying, halting, recovering', () => {
  test('a dry run keeps the state, a rebuild restores it, and run:verify reports it', async () => {
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

  test('a lagging state is updated by the next iteration; a contradicting state is corrupted', async () => {
    const { id } = await started(ONE);
    const file = join(bench.runs, id, 'state', 'state.json');
    const before = readFileSync(file, 'utf8');
    await bench.json(['task:invalidate', id, await pending(id)]);
    await iterate(id);
    const after = readFileSync(file, 'utf8');
    writeFileSync(file, before);
    expect(await bench.reins(['run:verify', id])).toMatchObject({ exit: 0, json: { ok: true } });
    expect(await bench.reins(['replay', id, '--verify'])).toMatchObject({ exit: 0, json: { verified: true } });
    expect(await bench.json(['run:rebuild-state', id, '--dry-run'])).toMatchObject({ drift: 'stale' });
    await iterate(id);
    expect(readFileSync(file, 'utf8')).toBe(after);
    for (const wrong of [before.replace('"task": 1', '"task": 2'), before.replace(/"hash": "./, '"hash": "x')]) {
      writeFileSync(file, wrong);
      expect(await bench.reins(['run:verify', id])).toMatchObject({
        exit: 1,
        json: { problems: [{ message: 'state/state.json: it is stale' }] },
      });
    }
  });

  test('reports inputs that the run never had, and a rebuild removes them', async () => {
    const { id } = await started(ONE);
    const file = join(bench.runs, id, 'inputs.json');
    writeFileSync(file, '{"a":1}');
    expect(await bench.reins(['run:verify', id])).toMatchObject({
      exit: 1,
      json: { problems: [{ path: 'inputs.json', hint: 'Remove it with run:rebuild-state.' }] },
    });
    expect(await bench.json(['run:rebuild-state', id])).toMatchObject({ made: ['inputs.json'] });
    expect(existsSync(file)).toBe(false);
    expect(await bench.reins(['run:verify', id])).toMatchObject({ exit: 0 });
  });

  test('a completed run survives the loss of its state directory', async () => {
    const { id } = await started('return { done: true };');
    rmSync(join(bench.runs, id, 'state'), { recursive: true });
    expect((await iterate(id)).json).toMatchObject({ status: 'completed', output: { done: true } });
  });

  test('halts as completed or failed; refuses an unknown status; a dry run changes nothing', async () => {
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

  test('removes the error and patches a result; an invalid patch changes nothing', async () => {
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
    expect(await status(id)).toMatchObject({ state: 'failed', error: { message: 'cannot use it' } });
    const recover = ['run:recover-process-error', id];
    const before = await types(id);
    expect(await bench.reins([...recover, '--patch-effect', `${effect}:x.y=1`])).toMatchObject({ exit: 1 });
    expect(await bench.reins([...recover, '--patch-effect', `${effect}:b.ok`])).toMatchObject({ exit: 2 });
    expect(await types(id)).toEqual(before);
    expect(await bench.json([...recover, '--patch-effect', `${effect}:b.ok=true`])).toMatchObject({ recovered: true });
    expect((await iterate(id)).json).toMatchObject({ status: 'completed', output: { b: { ok: true } } });
    expect(await bench.reins(recover)).toMatchObject({ exit: 1, json: { error: { code: 'process_not_broken' } } });
  });

  test.each([
    ['asks for something else', 'replay_nondeterminism'],
    ['throws', 'process-error: no'],
  ])('a process that %s keeps failing, with the same status', async (other, reason) => {
    // A module is imported once per test file, so its behavior depends on a file.
    const code = (text: string) => Object.assign(globalThis, { code: text });
    code('as it was');
    const { id } = await started(`
      const first = ctx.task(step, { n: globalThis.code === 'asks for something else' ? 2 : 1 });
      const second = ctx.task(step, { n: 3 });
      await first;
      if (globalThis.code === 'throws') throw new TypeError('no');
      return second;`);
    await ok(id, 1);
    const goesOn = async () => {
      expect(await iterate(id)).toMatchObject({ exit: 0, json: { status: 'waiting', count: 1 } });
      expect(await status(id)).toMatchObject({ state: 'waiting', reason: null });
    };
    const fails = async () => {
      expect(await iterate(id)).toMatchObject({ exit: 1, json: { status: 'failed', reason } });
      expect(await status(id)).toMatchObject({ state: 'failed', reason: 'process_runtime_error' });
    };
    for (const [text, then] of [
      [other, fails],
      ['as it was', goesOn],
      [other, fails],
      ['as it was', goesOn],
    ] as const) {
      code(text);
      await then();
      const before = await types(id);
      await then();
      expect(await types(id)).toEqual(before);
    }
    expect(await bench.json(['replay', id, '--verify'])).toMatchObject({ identical: true, verified: true });
    await ok(id, 7);
    expect((await iterate(id)).json).toMatchObject({ status: 'completed', output: expect.any(Number) });
  });

  test('a halted run is not a success and has no completion proof', async () => {
    const { id, iteration } = await started('ctx.halt("stop", { why: 1 });');
    expect(iteration).toMatchObject({ status: 'halted', reason: 'stop', payload: { why: 1 } });
    const again = await iterate(id);
    expect(again.exit).toBe(1);
    expect(again.json.completionProof).toBeUndefined();
    expect(await status(id)).toMatchObject({ state: 'halted', reason: 'stop', payload: { why: 1 } });
  });

  test('an uncaught task error fails the run, also in its status', async () => {
    const { id } = await started(ONE);
    await post(id, '--status', 'error');
    expect(await iterate(id)).toMatchObject({ exit: 1, json: { status: 'failed' } });
    expect((await status(id)).state).toBe('failed');
  });
});

describe('processes', () => {
  test('a process that awaits a foreign promise is stuck, not waiting', async () => {
    const { id, iteration } = await started('await new Promise((done) => setTimeout(done, 60_000).unref());');
    expect(iteration).toMatchObject({ status: 'failed', reason: 'process-stuck', error: { code: 'process_invalid' } });
    expect(await iterate(id)).toMatchObject({ exit: 1 });
  });

  test('scripts next to the run have no effect', async () => {
    const mark = join(bench.root, 'ran');
    for (const folder of ['.a5c/hooks/task.created', 'state/hooks/task.created'])
      bench.file(`${folder}/deny.sh`, `touch ${mark}; echo '{"decision":"deny"}'`);
    expect((await started(ONE)).iteration).toMatchObject({ status: 'waiting' });
    expect(existsSync(mark)).toBe(false);
  });

  test('arguments above 1 MiB are stored in a file that task.json and the journal refer to', async () => {
    const { id } = await started('return ctx.task(step, { n: "x".repeat(1_100_000) });');
    const [{ effectId, inputsRef }] = (await tasks(id)) as [{ effectId: string; inputsRef: string }];
    expect(inputsRef).toMatch(new RegExp(`^tasks/${effectId}/blobs/inputs-[0-9a-f]{64}\\.json$`));
    expect((bench.read(id, inputsRef) as { n: string }).n).toHaveLength(1_100_000);
    expect(bench.read(id, 'tasks', effectId, 'task.json')).toMatchObject({ inputsRef });
    const { events } = await bench.json(['run:events', id, '--filter-type', 'EFFECT_REQUESTED']);
    const [{ path, data }] = events as [{ path: string; data: JsonObject }];
    expect(data).toMatchObject({ request: { taskId: 'step', inputsRef }, requestRef: { sha256: expect.any(String) } });
    const { sha256 } = data.requestRef as { sha256: string };
    expect(bench.read(id, 'blobs', `${sha256}.json`)).toMatchObject({ args: bench.read(id, inputsRef) });
    expect(statSync(join(bench.runs, id, path)).size).toBeLessThan(2000);
    const small = await started('return ctx.task(step, { n: "x" });');
    expect(await tasks(small.id)).toMatchObject([{ inputsRef: null }]);
    expect(await bench.json(['run:events', small.id, '--filter-type', 'EFFECT_REQUESTED'])).toMatchObject({
      events: [{ data: { request: { args: { n: 'x' } } } }],
    });
  });

  test('variables that look like secrets are redacted from the journal, and their names recorded', async () => {
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

  test('a file of a task has a safe name and stays in its folder', async () => {
    const build = (work: string) =>
      `return ctx.task({ id: 't', build: (a, b) => ({ kind: 'node', ref: ${work} }) }, {});`;
    const { id, iteration } = await started(build('b.createBlobRef("../a b", { x: 1 })'));
    const [{ taskDef }] = iteration.nextActions as [{ taskDef: { ref: string } }];
    expect(taskDef.ref).toMatch(/^tasks\/[^/]+\/blobs\/a-b-[0-9a-f]{64}\.json$/);
    expect(bench.read(id, taskDef.ref)).toEqual({ x: 1 });
    for (const wrong of ['b.createBlobRef("", 1)', 'b.toTaskRelativePath("../x")', 'b.toTaskRelativePath("/x")'])
      expect((await started(build(wrong))).iteration.status).toBe('failed');
  });

  test('a denied request fails the run, a warned one continues; both are logged', async () => {
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
  });

  test('refuses invalid policy rules with their paths, before the run is created', async () => {
    const at = (field: unknown, operator: string, value: unknown) => ({
      action: 'deny',
      conditions: [{ field, operator, value }],
    });
    const policyRules = [
      at('taskId', 'matches', '['),
      at('taskId', 'sounds-like', 'x'),
      at(1, 'eq', 1),
      { action: 'ask' },
    ];
    const file = bench.file('wrong-rules.json', JSON.stringify({ policyRules }));
    const { exit, json } = await bench.reins(['run:create', '--run-id', 'ungoverned', '--governance', file]);
    const reported = (json.errors as JsonObject[]).map(({ code, message }) => [code, message]);
    expect([exit, reported]).toEqual([
      2,
      [
        ['wrong_usage', expect.stringMatching(/^--governance: policyRules\[0\]\.conditions\[0\]\.value: /)],
        ['wrong_usage', expect.stringMatching(/policyRules\[1\]\.conditions\[0\]\.operator: .*contains, matches/)],
        ['wrong_usage', expect.stringMatching(/policyRules\[2\]\.conditions\[0\]\.field: /)],
        ['wrong_usage', expect.stringMatching(/policyRules\[3\]\.action: must be one of deny, warn, allow$/)],
      ],
    ]);
    expect(existsSync(join(bench.runs, 'ungoverned'))).toBe(false);
  });

  test.each([
    ['Deploy to Prod!', 'deploy-to-prod'],
    ['deploy.prod', 'deploy.prod'],
    [' ', 'breakpoint'],
  ])('the id of a breakpoint labelled %j is %j', async (label, id) => {
    const { iteration } = await started(`return ctx.breakpoint({}, { label: ${JSON.stringify(label)} });`);
    const [{ taskDef }] = iteration.nextActions as [JsonObject];
    expect(taskDef).toMatchObject({ subject: { detail: { breakpointId: id } } });
  });

  test.each([
    ['as its output', 7],
    ['as its end has it', { output: 7 }],
  ])('a subprocess is pending work, not an error; posted %s', async (_, posted) => {
    const { id, iteration } = await started('return (await ctx.subprocess({ processPath: "./child.mjs" })).output;');
    expect(iteration).toMatchObject({ status: 'waiting', reason: 'child-pending' });
    await ok(id, posted);
    expect((await iterate(id)).json).toMatchObject({ status: 'completed', output: 7 });
  });

  test('respects maxConcurrency, and undefined results keep their position', async () => {
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
