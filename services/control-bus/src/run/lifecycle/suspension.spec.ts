import { beforeEach, describe, expect, test } from '@jest/globals';
import { SHA, SimulatedRun, TREE } from '../../testing/simulated-run.ts';

const START_MS = 10_000 + 5_000;
const SESSION = `native@${SHA}`;
const SUSPENDED = { tree: TREE, harnessSessionId: SESSION, signals: 4 };

describe('a suspended stage', () => {
  let run: SimulatedRun;
  beforeEach(async () => {
    run = new SimulatedRun();
    await run.submit();
    await run.plan(['execute']);
    await run.prepare();
    await run.start();
    await ask();
  });

  const ask = (more: object = {}) =>
    run.answer('stage', 'runtime.stage.waiting', { question: 'which?', suspended: SUSPENDED, ...more });
  const decide = () => {
    const { effectId } = run.requested('runtime.stage.requested');
    return run.send('command.run.answer', { effectId, answer: 'this', idempotencyKey: `a${run.published.length}` });
  };
  const complete = (more: object = {}) =>
    run.answer('stage', 'runtime.stage.completed', { output: 'done', tree: TREE, ...more });
  const requests = () => run.published.filter(({ body }) => body.type === 'runtime.stage.requested').length;

  test('makes the run wait, and records what it waits for', async () => {
    const { effectId } = run.requested('runtime.stage.requested');
    expect(run.requested('runtime.request.waiting')).toMatchObject({ reason: 'user', effectId });
    const entry = (await run.entries()).at(-1);
    expect(entry).toMatchObject({
      type: 'EFFECT_WAITING',
      data: { reason: 'user', subject: effectId, question: 'which?', suspended: SUSPENDED },
    });
  });

  test('is requested again with the decision, in the same attempt', async () => {
    await decide();
    expect(run.requested('runtime.stage.requested')).toMatchObject({
      attempt: 1,
      tree: TREE,
      harnessSessionId: SESSION,
      resume: { number: 1, answer: 'this', signals: 4 },
    });
    expect(run.orders).toEqual([]);
    expect(run.directives.at(-1)).toBe('continue');
    await run.start({ resumption: 1 });
    await complete({ resumption: 1 });
    expect(run.types).toContain('runtime.request.completed');
  });

  test('is asked the next question even if the command that answered the last one is repeated', async () => {
    const { effectId } = run.requested('runtime.stage.requested');
    const command = { effectId, answer: 'yes', idempotencyKey: 'once' };
    await run.send('command.run.answer', command);
    await run.start({ resumption: 1 });
    await ask({ question: 'sure?', resumption: 1 });
    await run.send('command.run.answer', command);
    expect((await run.entries()).filter(({ type }) => type === 'EFFECT_ANSWERED')).toHaveLength(1);
  });

  test('gives each question of the run a number, which its facts repeat', async () => {
    expect(run.requested('runtime.request.waiting')).toMatchObject({ questionNumber: 1 });
    expect(run.requested('runtime.stage.waiting')).toMatchObject({ questionNumber: 1 });
    await decide();
    await run.start({ resumption: 1 });
    await ask({ question: 'sure?', resumption: 1 });
    expect(run.requested('runtime.request.waiting')).toMatchObject({ questionNumber: 2 });
    const { effectId } = run.requested('runtime.stage.requested');
    await run.send('command.effect.invalidate', { effectId, idempotencyKey: 'again' });
    await run.start();
    await ask();
    expect(run.requested('runtime.request.waiting')).toMatchObject({ effectId, questionNumber: 3 });
  });

  test('is not answered by the answer to another question', async () => {
    const { effectId } = run.requested('runtime.stage.requested');
    const yes = (person: string, questionNumber: number) =>
      run.send('command.run.answer', { effectId, answer: 'yes', questionNumber, idempotencyKey: person });
    await yes('ann', 1);
    await run.start({ resumption: 1 });
    await yes('bob', 1);
    await ask({ question: 'Delete the production data?', resumption: 1 });
    await yes('carl', 1);
    const answered = async () => (await run.entries()).filter(({ type }) => type === 'EFFECT_ANSWERED').length;
    expect(await answered()).toBe(1);
    await yes('dora', 2);
    expect(await answered()).toBe(2);
  });

  test('is answered by a command of an earlier version, which names no question', async () => {
    await decide();
    expect(run.requested('runtime.stage.requested')).toMatchObject({ resume: { number: 1, answer: 'this' } });
  });

  test('ignores repeated answers of the host that asked', async () => {
    await ask();
    expect(run.types.filter((type) => type === 'runtime.stage.waiting')).toHaveLength(1);
    await decide();
    await ask();
    await complete();
    expect(run.types).not.toContain('runtime.request.completed');
    expect(run.types.filter((type) => type === 'runtime.stage.waiting')).toHaveLength(1);
    expect(run.types.at(-1)).toBe('control.directive.emitted');
  });

  test('survives a restart of every part', async () => {
    run.crash();
    await decide();
    run.crash();
    await run.start({ resumption: 1 });
    await ask({ resumption: 1, question: 'sure?' });
    run.crash();
    await decide();
    expect(run.requested('runtime.stage.requested')).toMatchObject({ attempt: 1, resume: { number: 2 } });
    await complete({ resumption: 2 });
    expect(run.types).toContain('runtime.request.completed');
  });

  test('costs no attempt, and a failure after it is tried again from there', async () => {
    await decide();
    await run.pass(START_MS);
    expect(run.requested('runtime.stage.failed')).toMatchObject({ attempt: 1, outcome: 'failed' });
    expect(run.requested('runtime.stage.requested')).toMatchObject({ attempt: 2, tree: TREE, resume: { number: 1 } });
    expect(requests()).toBe(3);
    await complete({ resumption: 1 });
    expect(run.types).toContain('runtime.request.completed');
  });

  test('is cancelled at once, because no host works on it', async () => {
    await run.send('command.run.cancel', { idempotencyKey: 'c' });
    expect(run.types).toContain('runtime.request.cancelled');
  });

  test('fails when its question expires', async () => {
    await run.pass(60_000);
    expect(run.requested('runtime.request.failed')).toMatchObject({ error: { code: 'question_expired' } });
  });
});

test('a stage keeps one budget and its whole usage over its questions', async () => {
  const run = new SimulatedRun();
  await run.submit();
  await run.plan(['execute'], 3, { budget: { maxTokens: 2000 } });
  await run.prepare();
  const budget = () => run.requested('runtime.stage.requested').budget;
  const usage = { inputTokens: 500, outputTokens: 100, costUsd: 0.5 };
  for (const resumption of [0, 1, 2]) {
    const part = resumption > 0 ? { resumption } : {};
    await run.start(part);
    await run.answer('stage', 'runtime.stage.waiting', { question: 'which?', suspended: SUSPENDED, usage, ...part });
    const { effectId } = run.requested('runtime.stage.requested');
    await run.send('command.run.answer', { effectId, answer: 'this', idempotencyKey: `a${resumption}` });
    const parts = resumption + 1;
    expect(budget()).toEqual({ maxTokens: 2000, usedTokens: 600 * parts, usedCostUsd: 0.5 * parts });
  }
  run.crash();
  await run.start({ resumption: 3 });
  const error = { code: 'harness_failed', message: 'it failed' };
  await run.answer('stage', 'runtime.stage.failed', { error, retryable: true, usage, resumption: 3 });
  expect(budget()).toMatchObject({ usedTokens: 2400, usedCostUsd: 2 });
  await run.start({ resumption: 3 });
  await run.answer('stage', 'runtime.stage.completed', { output: 'x', tree: TREE, usage, resumption: 3 });
  const recorded = run.published.flatMap(({ body }) => (body.type === 'runtime.usage.recorded' ? [body] : []));
  expect(recorded).toHaveLength(5);
  expect(recorded).toEqual(recorded.map(() => expect.objectContaining({ stage: 'execute', ...usage })));
});

test('what a stage used before its question counts in the budget of the next stage', async () => {
  const run = new SimulatedRun();
  await run.submit();
  await run.plan(['execute', 'evaluate'], 3, { budget: { maxTokens: 2000 } });
  await run.prepare();
  await run.start();
  const usage = { inputTokens: 500, outputTokens: 100 };
  await run.answer('stage', 'runtime.stage.waiting', { question: 'which?', suspended: SUSPENDED, usage });
  const { effectId } = run.requested('runtime.stage.requested');
  await run.send('command.run.answer', { effectId, answer: 'this', idempotencyKey: 'a' });
  await run.start({ resumption: 1 });
  await run.answer('stage', 'runtime.stage.completed', { output: 'x', tree: TREE, usage, resumption: 1 });
  await run.prepare();
  expect(run.requested('runtime.stage.requested')).toMatchObject({ stage: 'evaluate', budget: { usedTokens: 1200 } });
});
