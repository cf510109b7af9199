import { describe, expect, test } from '@jest/globals';
import { SimulatedRun } from '../testing/simulated-run.ts';

async function submitted(process: string, input: object): Promise<SimulatedRun> {
  const run = new SimulatedRun();
  await run.submit({ process, input: { ...input } });
  return run;
}

describe('the process direct-tool', () => {
  test('calls one tool', async () => {
    const run = await submitted('direct-tool', { toolId: 'search', args: { q: 'x' } });
    expect(run.requested('runtime.tool.direct.requested')).toMatchObject({
      toolId: 'search',
      args: { q: 'x' },
      attempt: 1,
    });
    await run.answer('tool.direct', 'runtime.tool.direct.started', { toolId: 'search' });
    await run.answer('tool.direct', 'runtime.tool.direct.completed', { toolId: 'search', output: [1] });
    expect(run.types.slice(2)).toEqual([
      'runtime.tool.direct.started',
      'runtime.tool.direct.completed',
      'runtime.request.completed',
      'control.directive.emitted',
    ]);
    expect(run.requested('runtime.request.completed').output).toEqual([1]);
  });

  test('fails when no worker takes the call, and does not retry a call with an unknown outcome', async () => {
    const run = await submitted('direct-tool', { toolId: 'search' });
    await run.pass(15_000);
    expect(run.requested('runtime.request.failed').error.code).toBe('effect_not_started');
    const other = await submitted('direct-tool', { toolId: 'search' });
    await other.answer('tool.direct', 'runtime.tool.direct.started', { toolId: 'search' });
    await other.pass(65_000);
    expect(other.requested('runtime.request.failed').error.code).toBe('effect_timed_out');
    expect(other.types.filter((type) => type === 'runtime.tool.direct.requested')).toHaveLength(1);
  });

  test('stops the call when the run is cancelled', async () => {
    const run = await submitted('direct-tool', { toolId: 'search' });
    await run.answer('tool.direct', 'runtime.tool.direct.started', { toolId: 'search' });
    await run.send('command.run.cancel', { idempotencyKey: 'c' });
    expect(run.orders.map(({ kind }) => kind)).toEqual(['cancel']);
    await run.answer('tool.direct', 'runtime.tool.direct.failed', {
      toolId: 'search',
      error: { code: 'effect_cancelled', message: 'stopped' },
    });
    expect(run.types.slice(-3, -1)).toEqual(['runtime.tool.direct.failed', 'runtime.request.cancelled']);
  });

  test.each([[{}], [{ toolId: ' ' }], [{ toolId: 'search', args: [1] }]])(
    'rejects an input without a tool id or with invalid arguments: %j',
    async (input) => {
      const run = await submitted('direct-tool', input);
      expect(run.requested('runtime.request.failed').error).toMatchObject({ code: 'process_invalid', path: 'input' });
    },
  );
});

describe('the process workflow', () => {
  const input = { workflowId: 'review', adapter: 'langgraph', input: { pr: 7 } };

  test('runs one workflow of an adapter', async () => {
    const run = await submitted('workflow', input);
    expect(run.requested('runtime.workflow.requested')).toMatchObject({ ...input, attempt: 1 });
    await run.answer('workflow', 'runtime.workflow.started', { workflowId: 'review', adapter: 'langgraph' });
    run.crash();
    await run.answer('workflow', 'runtime.workflow.completed', {
      workflowId: 'review',
      adapter: 'langgraph',
      output: 'ok',
    });
    expect(run.requested('runtime.request.completed').output).toBe('ok');
  });

  test('fails when no worker takes the workflow in time', async () => {
    const run = await submitted('workflow', input);
    await run.pass(15_000);
    await run.pass(15_000);
    expect(run.requested('runtime.workflow.failed')).toMatchObject({ workflowId: 'review' });
    expect(run.requested('runtime.request.failed').error.code).toBe('effect_not_started');
  });

  test('rejects an input without an id or adapter', async () => {
    const run = await submitted('workflow', { workflowId: 'review' });
    expect(run.requested('runtime.request.failed').error.code).toBe('process_invalid');
  });
});

describe('the process stage', () => {
  test('has the budget of the workspace', async () => {
    const run = await submitted('stage', { stage: 'execute', input: 'x' });
    await run.plan(['execute'], 3, { budget: { maxTokens: 900 } });
    await run.prepare();
    run.crash();
    await run.start();
    expect(run.requested('runtime.stage.requested').budget).toEqual({
      maxTokens: 900,
      usedTokens: 0,
      usedCostUsd: 0,
    });
  });

  test('of a child run names the request whose stages share the budget, also after a failed attempt', async () => {
    const run = new SimulatedRun();
    const head = { sessionId: 's1', agentId: 'main', effectId: 'e1', attempt: 1 };
    const parent = { ...head, requestId: 'outer', depth: 2, rootRequestId: 'root' };
    await run.submit({ process: 'stage', input: { stage: 'execute', input: 'x' }, parent });
    await run.plan(['execute'], 3, { budget: { maxTokens: 900 } });
    await run.prepare();
    const budget = { maxTokens: 900, usedTokens: 0, usedCostUsd: 0, sharedBy: 'root' };
    expect(run.requested('runtime.stage.requested').budget).toEqual(budget);
    await run.start();
    const usage = { inputTokens: 100, outputTokens: 20 };
    const error = { code: 'harness_failed', message: 'x' };
    await run.answer('stage', 'runtime.stage.failed', { error, retryable: true, usage });
    expect(run.requested('runtime.stage.requested').budget).toEqual({ ...budget, usedTokens: 120 });
  });

  test.each([
    [
      { stage: 'execut' },
      '"stage" must be one of interview, execute, evaluate, reflect (got "execut")',
      'Did you mean execute?',
    ],
    [{}, '"stage" must be one of interview, execute, evaluate, reflect', expect.stringContaining('"stage": "execute"')],
    [{ stage: 'execute', runtime: 5 }, '"runtime" must be a non-empty string (got 5)', expect.any(String)],
    [{ stage: 'execute', tree: '' }, '"tree" must be a non-empty string (got "")', expect.any(String)],
    [{ stage: 'execute', context: [1] }, '"context" must be an object (got [1])', expect.any(String)],
  ])('says what is wrong with its input: %j', async (input, what, hint) => {
    const run = await submitted('stage', input);
    expect(run.requested('runtime.request.failed').error).toMatchObject({
      code: 'process_invalid',
      path: 'input',
      message: `the input of the process "stage": ${what}`,
      hint,
    });
  });
});
