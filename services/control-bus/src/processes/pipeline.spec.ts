import { describe, expect, test } from '@jest/globals';
import { problemsOfEvent } from '@reins/contracts';
import { SHA, SimulatedRun, TREE } from '../testing/simulated-run.ts';

const FAIL = { verdict: { outcome: 'fail', reasons: ['no closing line'] } };
const PASS = { verdict: { outcome: 'pass', reasons: [] } };
const ALL = ['interview', 'execute', 'evaluate', 'reflect'];

/** The whole loop of the quickstart: the first evaluation fails. */
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

  test('tells only what the catalogue knows', async () => {
    const run = await quickstart();
    expect(run.published.flatMap(({ body }) => problemsOfEvent(body))).toEqual([]);
  });

  test('an owner that dies before every stage changes nothing that is told', async () => {
    const calm = await quickstart();
    const crashing = await quickstart((run) => run.crash());
    expect(crashing.published.map(({ body }) => body)).toEqual(calm.published.map(({ body }) => body));
  });

  test('a stage starts from the tree that the one before ended with', async () => {
    const run = new SimulatedRun();
    await run.submit();
    await run.plan(['execute', 'evaluate']);
    await run.prepare();
    expect(run.requested('runtime.stage.requested').tree).toBe(SHA);
    await run.start();
    await run.answer('stage', 'runtime.stage.completed', { output: 'x', tree: TREE });
    expect(run.requested('runtime.prepare.requested').tree).toBe(TREE);
  });

  test('a stage starts from the tree that its preparation laid files into', async () => {
    const run = new SimulatedRun();
    await run.submit();
    await run.plan(['execute']);
    await run.prepare({ tree: TREE });
    expect(run.requested('runtime.stage.requested').tree).toBe(TREE);
  });

  test('without a pipeline it executes once, on the runtime that the request names if it does', async () => {
    const run = new SimulatedRun();
    await run.submit({ stages: { execute: 'codex' } });
    await run.plan(['execute']);
    await run.complete({ output: { text: 'hi' } });
    expect(stagesOf(run)).toEqual(['execute/codex/request']);
    expect(run.requested('runtime.request.completed').output).toEqual({ text: 'hi' });
  });

  test('a verdict that still fails after the last iteration fails the run', async () => {
    const run = new SimulatedRun();
    await run.submit();
    await run.plan(['execute', 'evaluate'], 2);
    for (const fields of [{}, FAIL, {}, FAIL]) await run.complete(fields);
    expect(run.requested('runtime.request.failed').error).toMatchObject({ code: 'pipeline_budget_spent' });
    expect(run.directives.at(-1)).toBe('cancel');
  });

  test('an evaluation without a verdict is no pass', async () => {
    const run = new SimulatedRun();
    await run.submit();
    await run.plan(['execute', 'evaluate']);
    await run.complete();
    await run.complete({ output: 'looks fine to me' });
    expect(run.requested('runtime.request.failed').error).toMatchObject({ code: 'verdict_missing' });
  });

  test('a workspace that does not compile fails the run with its first error', async () => {
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

  test('all that keeps a stage from being prepared is told', async () => {
    const run = new SimulatedRun();
    await run.submit();
    await run.plan(['execute']);
    const problems = ['A', 'B'].map((name) => ({ code: 'mcp_environment_missing', message: `no ${name}` }));
    await run.answer('prepare', 'runtime.prepare.failed', { error: problems[0], problems });
    expect(run.requested('runtime.prepare.failed').problems).toEqual(problems);
    expect(run.requested('runtime.request.failed').error.code).toBe('mcp_environment_missing');
  });

  test('a failed attempt is made again from the same tree, and told as a retry', async () => {
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

  test('cancelling waits for the host, or for the grace', async () => {
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

  test('a stage that nobody takes is asked for again, and then fails the run', async () => {
    const run = new SimulatedRun();
    await run.submit();
    await run.plan(['execute']);
    await run.prepare();
    await run.pass(15_000);
    expect(run.requested('runtime.stage.requested').attempt).toBe(2);
    await run.pass(15_000);
    expect(run.requested('runtime.request.failed').error.code).toBe('effect_not_started');
  });

  test('a question suspends the run until it is answered, and fails it when nobody does in time', async () => {
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
    expect(run.orders).toEqual([{ effectId, kind: 'answer' }]);
    expect(run.directives.at(-1)).toBe('continue');
    await run.answer('stage', 'runtime.stage.waiting', { question: 'sure?' });
    run.crash();
    await run.pass(60_000);
    expect(run.requested('runtime.request.failed').error.code).toBe('question_expired');
  });
});
