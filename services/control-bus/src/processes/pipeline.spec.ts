import { describe, expect, test } from '@jest/globals';
import { problemsOfEvent } from '@reins/contracts';
import { SHA, SimulatedRun, TREE } from '../testing/simulated-run.ts';

const FAIL = { verdict: { outcome: 'fail', reasons: ['no closing line'] } };
const PASS = { verdict: { outcome: 'pass', reasons: [] } };
const ALL = ['interview', 'execute', 'evaluate', 'reflect'];

/** Runs the loop of the quickstart: the first evaluation fails. */
async function quickstart(each: (run: SimulatedRun) => void = () => {}): Promise<SimulatedRun> {
  const run = new SimulatedRun();
  await run.submit();
  await run.plan(ALL);
  for (const fields of [{ output: 'brief' }, {}, FAIL, { output: 'lessons' }, { output: 'the end' }, PASS]) {
    each(run);
    await run.complete(fields);
  }
  return run;
}

const stagesOf = (run: SimulatedRun) =>
  run.published.flatMap(({ body }) =>
    body.type === 'runtime.stage.requested' ? [`${body.stage}/${body.runtimeId}/${body.runtimeSource}`] : [],
  );

describe('the pipeline', () => {
  test('runs all four stages, each on the runtime of its profile, until the evaluation passes', async () => {
    const run = await quickstart();
    expect(stagesOf(run)).toEqual([
      'interview/openai_chat/default',
      'execute/pi/stage',
      'evaluate/openai_chat/default',
      'reflect/openai_chat/default',
      'execute/pi/stage',
      'evaluate/openai_chat/default',
    ]);
    expect(run.directives).toEqual(['continue', 'continue', 'evaluate', 'evolve', 'retry', 'retry', 'converge']);
    expect(run.requested('runtime.request.completed').output).toBe('the end');
  });

  test('publishes only valid events of the catalog', async () => {
    const run = await quickstart();
    expect(run.published.flatMap(({ body }) => problemsOfEvent(body))).toEqual([]);
  });

  test('publishes the same facts when its owner crashes before every stage', async () => {
    const calm = await quickstart();
    const crashing = await quickstart((run) => run.crash());
    expect(crashing.published.map(({ body }) => body)).toEqual(calm.published.map(({ body }) => body));
  });

  test('starts a stage from the final tree of the previous stage', async () => {
    const run = new SimulatedRun();
    await run.submit();
    await run.plan(['execute', 'evaluate']);
    await run.prepare();
    expect(run.requested('runtime.stage.requested').tree).toBe(SHA);
    await run.start();
    await run.answer('stage', 'runtime.stage.completed', { output: 'x', tree: TREE });
    expect(run.requested('runtime.prepare.requested').tree).toBe(TREE);
  });

  test('a stage gets the budget of the run, and what the stages before it have used', async () => {
    const run = new SimulatedRun();
    await run.submit();
    await run.plan(['execute', 'evaluate'], 3, { budget: { maxTokens: 900, maxCostUsd: 2 } });
    const budget = () => run.requested('runtime.stage.requested').budget;
    await run.prepare();
    expect(budget()).toEqual({ maxTokens: 900, maxCostUsd: 2, usedTokens: 0, usedCostUsd: 0 });
    await run.start();
    const usage = { inputTokens: 100, outputTokens: 20, costUsd: 0.5 };
    await run.answer('stage', 'runtime.stage.completed', { output: 'x', tree: TREE, usage });
    await run.prepare();
    expect(budget()).toEqual({ maxTokens: 900, maxCostUsd: 2, usedTokens: 120, usedCostUsd: 0.5 });
    expect(run.published.flatMap(({ body }) => problemsOfEvent(body))).toEqual([]);
  });

  test('failed attempts count in the budget: of the next attempt, and of the stages after it', async () => {
    const run = new SimulatedRun();
    await run.submit();
    await run.plan(['execute', 'evaluate'], 3, { budget: { maxTokens: 900 } });
    const used = () => {
      const { usedTokens, usedCostUsd } = run.requested('runtime.stage.requested').budget ?? {};
      return [usedTokens, usedCostUsd];
    };
    await run.prepare();
    await run.start();
    const usage = { inputTokens: 100, outputTokens: 20, costUsd: 0.5 };
    const failure = { error: { code: 'harness_failed', message: 'x' }, retryable: true, usage };
    await run.answer('stage', 'runtime.stage.failed', failure);
    expect(used()).toEqual([120, 0.5]);
    await run.start();
    await run.answer('stage', 'runtime.stage.completed', { output: 'x', tree: TREE, usage });
    await run.prepare();
    expect(used()).toEqual([240, 1]);
    expect(run.published.flatMap(({ body }) => problemsOfEvent(body))).toEqual([]);
  });

  test('starts a stage from the tree of its preparation', async () => {
    const run = new SimulatedRun();
    await run.submit();
    await run.plan(['execute']);
    await run.prepare({ tree: TREE });
    expect(run.requested('runtime.stage.requested').tree).toBe(TREE);
  });

  test('executes once without a configured pipeline, on the runtime that the request names', async () => {
    const run = new SimulatedRun();
    await run.submit({ stages: { execute: 'codex' } });
    await run.plan(['execute']);
    await run.complete({ output: { text: 'hi' } });
    expect(stagesOf(run)).toEqual(['execute/codex/request']);
    expect(run.requested('runtime.request.completed').output).toEqual({ text: 'hi' });
  });

  test('fails the run when the last verdict fails', async () => {
    const run = new SimulatedRun();
    await run.submit();
    await run.plan(['execute', 'evaluate'], 2);
    for (const fields of [{}, FAIL, {}, FAIL]) await run.complete(fields);
    expect(run.requested('runtime.request.failed').error).toMatchObject({ code: 'pipeline_budget_spent' });
    expect(run.directives.at(-1)).toBe('cancel');
  });

  test('fails the run when an evaluation has no verdict', async () => {
    const run = new SimulatedRun();
    await run.submit();
    await run.plan(['execute', 'evaluate']);
    await run.complete();
    await run.complete({ output: 'looks fine to me' });
    expect(run.requested('runtime.request.failed').error).toMatchObject({ code: 'verdict_missing' });
  });

  test('fails the run with the first compile error of the workspace', async () => {
    const run = new SimulatedRun();
    await run.submit();
    await run.answer('plan', 'runtime.plan.rejected', {
      diagnostics: [{ severity: 'error', code: 'workspace_mcp_registry_missing', message: 'none' }],
    });
    expect(run.types).toEqual([
      'runtime.request.started',
      'runtime.plan.requested',
      'runtime.plan.rejected',
      'runtime.request.failed',
      'control.directive.emitted',
    ]);
    expect(run.requested('runtime.request.failed').error.code).toBe('workspace_mcp_registry_missing');
  });

  test('publishes all problems of a failed preparation', async () => {
    const run = new SimulatedRun();
    await run.submit();
    await run.plan(['execute']);
    const problems = ['A', 'B'].map((name) => ({ code: 'mcp_environment_missing', message: `no ${name}` }));
    await run.answer('prepare', 'runtime.prepare.failed', { error: problems[0], problems });
    expect(run.requested('runtime.prepare.failed').problems).toEqual(problems);
    expect(run.requested('runtime.request.failed').error.code).toBe('mcp_environment_missing');
  });

  test('retries a failed attempt from the same tree, with the directive retry', async () => {
    const run = new SimulatedRun();
    await run.submit();
    await run.plan(['execute']);
    await run.prepare();
    await run.start();
    await run.answer('stage', 'runtime.stage.failed', {
      error: { code: 'harness_failed', message: 'x' },
      retryable: true,
    });
    expect(run.requested('runtime.stage.requested')).toMatchObject({ attempt: 2, tree: SHA });
    expect(run.directives).toEqual(['continue', 'retry']);
    await run.start();
    await run.answer('stage', 'runtime.stage.completed', { output: 'x', tree: TREE });
    expect(run.types.at(-2)).toBe('runtime.request.completed');
  });

  test('waits for the host, or for the grace period, when it is cancelled', async () => {
    const run = new SimulatedRun();
    await run.submit();
    await run.plan(['execute']);
    await run.prepare();
    await run.start();
    await run.send('command.run.cancel', { idempotencyKey: 'c', reason: 'no' });
    expect(run.orders.map(({ kind }) => kind)).toEqual(['cancel']);
    expect(run.types).not.toContain('runtime.request.cancelled');
    run.crash();
    await run.pass(10_000);
    expect(run.types.slice(-3)).toEqual([
      'runtime.stage.cancelled',
      'runtime.request.cancelled',
      'control.directive.emitted',
    ]);
  });

  test('requests a stage again when no host takes it, and then fails the run', async () => {
    const run = new SimulatedRun();
    await run.submit();
    await run.plan(['execute']);
    await run.prepare();
    await run.pass(15_000);
    expect(run.requested('runtime.stage.requested').attempt).toBe(2);
    await run.pass(15_000);
    expect(run.requested('runtime.request.failed').error.code).toBe('effect_not_started');
  });

  test('waits for the answer to a question, and fails when the question expires', async () => {
    const run = new SimulatedRun();
    await run.submit();
    await run.plan(['execute']);
    await run.prepare();
    await run.start();
    await run.answer('stage', 'runtime.stage.waiting', { question: 'which file?' });
    expect(run.types.slice(-3)).toEqual([
      'runtime.stage.waiting',
      'runtime.request.waiting',
      'control.directive.emitted',
    ]);
    const { effectId } = run.requested('runtime.request.waiting');
    await run.send('command.run.answer', { idempotencyKey: 'a', effectId, answer: 'that one' });
    expect(run.orders).toEqual([{ effectId, kind: 'answer', attempt: 1 }]);
    expect(run.directives.at(-1)).toBe('continue');
    await run.answer('stage', 'runtime.stage.waiting', { question: 'sure?' });
    run.crash();
    await run.pass(60_000);
    expect(run.requested('runtime.request.failed').error.code).toBe('question_expired');
  });
});

describe('sessions of executors', () => {
  const kept = (stage: 'interview' | 'execute' | 'evaluate', requestId = 'earlier') => ({
    agentId: 'main',
    stage,
    runtimeId: stage === 'execute' ? 'pi' : 'openai_chat',
    harnessSessionId: `${stage}-session`,
    requestId,
  });
  const continued = (run: SimulatedRun) => run.requested('runtime.prepare.requested').context?.continued;

  test('each stage continues its own session, then the one of its last iteration', async () => {
    const run = new SimulatedRun();
    run.session = { status: 'running', session: { stageSessions: [kept('execute'), kept('evaluate')] } };
    await run.submit();
    await run.plan(ALL);
    const seen: unknown[] = [];
    const next = async (fields: object): Promise<void> => {
      await run.prepare();
      seen.push([run.requested('runtime.stage.requested').harnessSessionId, continued(run)]);
      await run.start();
      await run.answer('stage', 'runtime.stage.completed', { output: 'x', tree: TREE, ...fields });
    };
    await next({ output: 'brief' });
    await next({ harnessSessionId: 'execute-next' });
    await next(FAIL);
    await next({ output: 'lessons' });
    await next({});
    const earlier = { requestId: 'earlier' };
    expect(seen).toEqual([
      [undefined, undefined],
      ['execute-session', { harnessSessionId: 'execute-session', ...earlier }],
      ['evaluate-session', { harnessSessionId: 'evaluate-session', ...earlier }],
      [undefined, undefined],
      ['execute-next', { harnessSessionId: 'execute-next' }],
    ]);
    expect(run.requested('runtime.prepare.requested').context?.revision).toBe(SHA);
  });

  test('a stage gets what stages that its conversation does not know have left', async () => {
    const run = new SimulatedRun();
    const earlier = {
      stage: 'execute' as const,
      runtimeId: 'pi',
      requestId: 'earlier',
      handoff: { openSteps: ['old'] },
    };
    run.session = { status: 'running', session: { stageSessions: [], endedStages: [earlier] } };
    await run.submit();
    await run.plan(ALL);
    const seen: unknown[] = [];
    const next = async (openStep: string | undefined, fields: object): Promise<void> => {
      await run.prepare();
      const { endedStages, session } = (run.requested('runtime.prepare.requested').context ?? {}) as {
        endedStages?: { stage: string; handoff: { openSteps: string[] } }[];
        session?: object;
      };
      expect(session).toMatchObject({ endedStages: [earlier] });
      seen.push((endedStages ?? []).map(({ stage, handoff }) => `${stage}: ${handoff.openSteps}`));
      await run.start();
      const handoff = openStep === undefined ? {} : { handoff: { openSteps: [openStep] } };
      await run.answer('stage', 'runtime.stage.completed', { output: 'x', tree: TREE, ...handoff, ...fields });
    };
    await next('first', { harnessSessionId: 'interview-1' });
    await next('second', { harnessSessionId: 'execute-1' });
    await next('third', { ...FAIL, harnessSessionId: 'evaluate-1' });
    await next(undefined, {});
    await next('fourth', { harnessSessionId: 'execute-2' });
    await next(undefined, PASS);
    expect(seen).toEqual([
      [],
      ['interview: first'],
      ['interview: first', 'execute: second'],
      ['interview: first', 'execute: second', 'evaluate: third'],
      ['evaluate: third'],
      ['execute: fourth'],
    ]);
  });

  test('a run of an earlier version goes on as it started', async () => {
    const run = new SimulatedRun();
    run.session = { status: 'running', session: { harnessSessions: { pi: 'of-any-stage' } } };
    await run.submit();
    await run.plan(['execute']);
    await run.prepare();
    expect(run.requested('runtime.stage.requested').harnessSessionId).toBe('of-any-stage');
    expect(run.requested('runtime.prepare.requested').context).toEqual({});
  });
});
