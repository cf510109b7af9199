import { describe, expect, test } from '@jest/globals';
import { problemsOfEvent } from '@reins/contracts';
import { SimulatedRun, TREE } from '../testing/simulated-run.ts';
import type { StageOptions } from './pipeline-inputs.ts';

const MINUTE = 60_000;
/** The default number of attempts of a simulated run. */
const ATTEMPTS = [1, 2];

/** A run whose stage `execute` has these options in the profile, up to the first request of that stage. */
async function executing(options: StageOptions, request: object = {}): Promise<SimulatedRun> {
  const run = new SimulatedRun();
  run.executeOptions = options;
  await run.submit(request);
  await run.plan(['execute']);
  await run.prepare();
  return run;
}

const fail = (run: SimulatedRun, code: string, retryable = false): Promise<void> =>
  run.answer('stage', 'runtime.stage.failed', { error: { code, message: 'x' }, retryable });

const tries = (run: SimulatedRun) =>
  run.published.flatMap(({ body }) =>
    body.type === 'runtime.stage.requested' ? [`${body.runtimeId} ${body.runtimeSource} ${body.attempt}`] : [],
  );

describe('a stage with a fallback', () => {
  const withFallback: StageOptions = { fallback: [{ runtime: 'openai_chat', model: 'openai/gpt-5' }] };

  test('continues on it from the same tree when its runtime fails, and both are on record', async () => {
    const run = await executing(withFallback);
    const { tree } = run.requested('runtime.stage.requested');
    await run.start();
    await fail(run, 'harness_exited');
    expect(run.requested('runtime.prepare.requested')).toMatchObject({
      runtimeId: 'openai_chat',
      input: { model: 'openai/gpt-5' },
    });
    await run.prepare();
    expect(run.requested('runtime.stage.requested')).toMatchObject({
      runtimeId: 'openai_chat',
      runtimeSource: 'fallback',
      tree,
      replaces: { runtimeId: 'pi', code: 'harness_exited' },
    });
    await run.start();
    await run.answer('stage', 'runtime.stage.completed', { output: 'done', tree: TREE });
    expect(tries(run)).toEqual(['pi stage 1', 'openai_chat fallback 1']);
    expect(run.types).toContain('runtime.stage.failed');
    expect(run.requested('runtime.request.completed').output).toBe('done');
    expect(run.published.flatMap(({ body }) => problemsOfEvent(body))).toEqual([]);
  });

  test.each([
    ['harness_exited', 'retry'],
    ['model_unavailable', 'retry'],
    ['harness_no_progress', 'unstuck'],
    ['harness_timeout_total', 'unstuck'],
  ])('starts the fallback after %s with the directive %s, which names both runtimes', async (code, directive) => {
    const run = await executing(withFallback);
    await run.start();
    await fail(run, code);
    await run.prepare();
    expect(run.requested('control.directive.emitted')).toMatchObject({
      directive,
      extra: { stage: 'execute', runtime_id: 'openai_chat', runtime_source: 'fallback', replaced_runtime_id: 'pi' },
    });
  });

  test('first makes all attempts on its own runtime', async () => {
    const run = await executing({ ...withFallback, maxAttempts: 3 });
    for (const attempt of [1, 2, 3]) {
      expect(run.requested('runtime.stage.requested')).toMatchObject({ runtimeId: 'pi', attempt });
      await run.start();
      await fail(run, 'model_unavailable', true);
    }
    expect(run.requested('runtime.prepare.requested').runtimeId).toBe('openai_chat');
  });

  test('fails with the last error when the last fallback fails', async () => {
    const run = await executing({ fallback: [{ runtime: 'openai_chat' }, { runtime: 'echo' }] });
    for (const code of ['harness_exited', 'model_unavailable', 'harness_step_limit']) {
      await run.start();
      await fail(run, code);
      if (!run.types.includes('runtime.request.failed')) await run.prepare();
    }
    expect(tries(run)).toEqual(['pi stage 1', 'openai_chat fallback 1', 'echo fallback 1']);
    expect(run.requested('runtime.request.failed').error.code).toBe('harness_step_limit');
  });

  test.each(['budget_exceeded', 'effect_cancelled', 'question_expired', 'mcp_server_unavailable'])(
    'does not use it after %s, which another runtime cannot help',
    async (code) => {
      const run = await executing(withFallback);
      await run.start();
      await fail(run, code);
      expect(run.requested('runtime.request.failed').error.code).toBe(code);
    },
  );

  test('does not use it when the runtime may have acted, and an unknown outcome must not be retried', async () => {
    const run = new SimulatedRun();
    run.stageLimits = { ...run.stageLimits, onUnknown: 'fail' };
    run.executeOptions = withFallback;
    await run.submit();
    await run.plan(['execute']);
    await run.prepare();
    await run.start();
    await fail(run, 'stage_outcome_unknown');
    expect(run.requested('runtime.request.failed').error.code).toBe('stage_outcome_unknown');
  });

  test('gets it when no host offers the runtime in time; the last fallback waits', async () => {
    const run = new SimulatedRun();
    run.executeOptions = withFallback;
    run.hostsIdleSince = undefined;
    run.hostSlots = 0;
    await run.submit();
    await run.plan(['execute']);
    await run.prepare();
    for (const _ of ATTEMPTS) await run.pass(2 * MINUTE);
    expect(run.requested('runtime.prepare.requested').runtimeId).toBe('openai_chat');
    await run.prepare();
    for (const _ of ATTEMPTS) await run.pass(2 * MINUTE);
    expect(run.types).not.toContain('runtime.request.failed');
    run.hostSlots = 1;
    await run.start();
    await run.answer('stage', 'runtime.stage.completed', { output: 'done', tree: TREE });
    expect(run.requested('runtime.request.completed').output).toBe('done');
  });

  test('waits for hosts that are busy', async () => {
    const run = await executing(withFallback);
    run.hostsIdleSince = undefined;
    await run.pass(5 * MINUTE);
    expect(tries(run)).toEqual(['pi stage 1']);
  });

  test('does not apply to another runtime that the request names', async () => {
    const run = await executing(withFallback, { stages: { execute: 'codex' } });
    await run.start();
    await fail(run, 'harness_exited');
    expect(tries(run)).toEqual(['codex request 1']);
    expect(run.types).toContain('runtime.request.failed');
  });

  test('continues after a crash of its owner at any moment', async () => {
    const calm = await withCrashes(() => {});
    const crashing = await withCrashes((run) => run.crash());
    expect(crashing.published.map(({ body }) => body)).toEqual(calm.published.map(({ body }) => body));
  });

  async function withCrashes(each: (run: SimulatedRun) => void): Promise<SimulatedRun> {
    const run = await executing(withFallback);
    each(run);
    await run.start();
    each(run);
    await fail(run, 'harness_exited');
    each(run);
    await run.complete();
    return run;
  }
});

describe('the options of a stage', () => {
  test('give its model and thinking value, unless the request has its own', async () => {
    const options: StageOptions = { model: 'openai/gpt-5', thinkingValue: 'high' };
    const run = await executing(options);
    expect(run.requested('runtime.prepare.requested').input).toMatchObject({
      model: 'openai/gpt-5',
      thinkingValue: 'high',
    });
    const asked = await executing(options, { model: 'anthropic/claude' });
    expect(asked.requested('runtime.prepare.requested').input).toMatchObject({ model: 'anthropic/claude' });
  });

  test('give its limits', async () => {
    const run = await executing({ runForMs: 90_000, maxAttempts: 4 });
    expect(run.requested('runtime.stage.requested').limits).toMatchObject({ runForMs: 90_000, maxAttempts: 4 });
  });

  test.each([
    ['retry', ['pi stage 1', 'pi stage 2', 'openai_chat fallback 1', 'openai_chat fallback 2']],
    ['fallback', ['pi stage 1', 'openai_chat fallback 1']],
    ['fail', ['pi stage 1']],
  ] as const)('with on_timeout: %s, decide what follows an attempt without progress', async (onTimeout, expected) => {
    const run = await executing({ onTimeout, maxAttempts: 2, fallback: [{ runtime: 'openai_chat' }] });
    const prepared = () => run.types.filter((type) => type === 'runtime.prepare.requested').length;
    for (let before = prepared(); ; before = prepared()) {
      await run.start();
      await fail(run, 'harness_no_progress', true);
      if (run.types.includes('runtime.request.failed')) break;
      if (prepared() > before) await run.prepare();
    }
    expect(tries(run)).toEqual(expected);
  });
});
