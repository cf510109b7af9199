import { describe, expect, test } from '@jest/globals';
import { isObject } from '@reins/contracts';
import { foldRun, hashJson, verifyEntries } from '@reins/journal';
import type { BuiltInProcess } from '../../processes/built-in-process.ts';
import { SimulatedRun } from '../../testing/simulated-run.ts';

const processOf = (run: BuiltInProcess['run']): BuiltInProcess => ({ id: 'pipeline', codeHash: hashJson('t/1'), run });

/** A pipeline run whose first evaluation failed. */
async function evaluated(): Promise<SimulatedRun> {
  const origin = new SimulatedRun();
  await origin.submit();
  await origin.plan(['execute', 'evaluate']);
  await origin.complete();
  await origin.complete({ verdict: { outcome: 'fail', reasons: ['too short'] }, usage: USAGE });
  return origin;
}

const USAGE = { provider: 'p', model: 'm', inputTokens: 5, outputTokens: 6 };

const versionOf = async (origin: SimulatedRun, kind: string, nth: number): Promise<number> => {
  const state = foldRun(origin.run, await origin.entries());
  const effect = [...state.effects.values()].filter((one) => one.kind === kind)[nth - 1];
  const entries = await origin.entries();
  const end = entries.find(({ type, data }) => type === 'EFFECT_RESOLVED' && data.effectId === effect?.effectId);
  return end?.version ?? 0;
};

async function forked(origin: SimulatedRun, at: number, more: object = {}, process?: BuiltInProcess) {
  const fork = new SimulatedRun(process, 'fork1', origin.journal);
  fork.now = origin.now + 3_600_000;
  await fork.submit({ fork: { requestId: 'run1', at }, ...more });
  return fork;
}

describe('a fork of a request', () => {
  test('keeps shared results without requesting them again, and continues with effects of its own', async () => {
    const origin = await evaluated();
    const at = await versionOf(origin, 'stage', 1);
    const fork = await forked(origin, at);
    const asked = fork.types.filter((type) => type.endsWith('.requested'));
    expect(asked).toEqual(['runtime.prepare.requested']);
    expect(fork.requested('runtime.prepare.requested')).toMatchObject({ stage: 'evaluate', iteration: 1 });
    const entries = await fork.entries();
    expect(verifyEntries(entries, fork.run)).toEqual([]);
    const theirs = new Set(foldRun(origin.run, await origin.entries()).effects.keys());
    const mine = foldRun(fork.run, entries);
    expect([...mine.effects.keys()].filter((effectId) => theirs.has(effectId))).toEqual([]);
    expect([...mine.effects.values()].map(({ kind, status }) => [kind, status])).toEqual([
      ['plan', 'resolved'],
      ['prepare', 'resolved'],
      ['stage', 'resolved'],
      ['prepare', 'requested'],
    ]);
    await fork.complete({ verdict: { outcome: 'pass', reasons: [] } });
    expect(fork.types).toContain('runtime.request.completed');
  });

  test('names the request that it retries', async () => {
    const origin = await evaluated();
    const fork = await forked(origin, await versionOf(origin, 'stage', 1), { retryOf: 'run1' });
    expect((await fork.entries())[0]).toMatchObject({ data: { retryOf: 'run1', forkedFrom: { requestId: 'run1' } } });
    expect(fork.requested('runtime.request.started')).toMatchObject({ retryOf: 'run1' });
  });

  test('publishes shared results once under its own ids, without their directives and costs', async () => {
    const origin = await evaluated();
    const fork = await forked(origin, await versionOf(origin, 'stage', 2));
    expect(fork.types.slice(0, 8)).toEqual([
      'runtime.request.started',
      'runtime.plan.compiled',
      'runtime.prepare.completed',
      'runtime.stage.started',
      'runtime.stage.completed',
      'runtime.prepare.completed',
      'runtime.stage.started',
      'runtime.stage.completed',
    ]);
    expect(fork.types).not.toContain('runtime.usage.recorded');
    const started = fork.published.find(({ body }) => body.type === 'runtime.stage.started');
    expect(started?.body).toMatchObject({ runtimeSource: 'stage', tree: expect.any(String) });
    expect(fork.directives).toEqual([]);
    expect(fork.published.every(({ body }) => body.requestId === 'fork1')).toBe(true);
    const before = fork.published.length;
    fork.crash();
    await fork.pass(0);
    expect(fork.published).toHaveLength(before);
  });

  test('does not publish how the shared stages were claimed and prepared', async () => {
    const origin = new SimulatedRun();
    await origin.submit();
    await origin.plan(['execute', 'evaluate']);
    await origin.prepare();
    await origin.answer('stage', 'runtime.stage.claimed', { hostId: 'h1' });
    await origin.answer('stage', 'effect.progress', { label: 'starting MCP servers crm' });
    await origin.start();
    await origin.answer('stage', 'runtime.stage.completed', { output: 'done', tree: 'a'.repeat(64) });
    expect(origin.types).toEqual(expect.arrayContaining(['runtime.stage.claimed', 'runtime.stage.progress']));
    const fork = await forked(origin, await versionOf(origin, 'stage', 1));
    expect(fork.types.filter((type) => /stage/.test(type))).toEqual([
      'runtime.stage.started',
      'runtime.stage.completed',
    ]);
  });

  test('can run later stages on another runtime and model, with a new preparation', async () => {
    const origin = await evaluated();
    const at = (await versionOf(origin, 'prepare', 1)) + 1;
    const fork = await forked(origin, at, { stages: { execute: 'codex' }, model: 'openai/gpt-5' });
    expect(fork.requested('runtime.prepare.requested')).toMatchObject({
      stage: 'execute',
      runtimeId: 'codex',
      input: { model: 'openai/gpt-5' },
    });
    expect(foldRun(fork.run, await fork.entries()).effects.size).toBe(2);
  });

  test('keeps the settings of shared stages, and runs later ones with its own', async () => {
    const origin = await evaluated();
    const at = await versionOf(origin, 'stage', 2);
    const fork = await forked(origin, at, { stages: { execute: 'codex', evaluate: 'codex' }, model: 'openai/gpt-5' });
    expect(fork.requested('runtime.prepare.requested')).toMatchObject({
      stage: 'execute',
      iteration: 2,
      runtimeId: 'codex',
      input: { model: 'openai/gpt-5' },
    });
    await fork.complete();
    expect(fork.requested('runtime.prepare.requested')).toMatchObject({ stage: 'evaluate', runtimeId: 'codex' });
    const again = new SimulatedRun(undefined, 'fork2', origin.journal);
    again.now = fork.now + 60_000;
    const version = await versionOf(fork, 'stage', 3);
    await again.submit({ fork: { requestId: 'fork1', at: version }, model: 'openai/gpt-6' });
    expect(again.requested('runtime.prepare.requested')).toMatchObject({
      stage: 'evaluate',
      iteration: 2,
      input: { model: 'openai/gpt-6' },
    });
  });

  test('fails immediately when its inputs would change the shared part', async () => {
    const origin = await evaluated();
    const fork = await forked(origin, await versionOf(origin, 'stage', 1), { input: 'something else' });
    const { end } = foldRun(fork.run, await fork.entries());
    expect(end).toMatchObject({ status: 'failed', error: { code: 'replay_nondeterminism' } });
    expect(fork.types).toEqual(['runtime.request.started', 'runtime.request.failed', 'control.directive.emitted']);
  });

  test.each([
    ['an unknown request', { requestId: 'unknown', at: 1 }, 'request_not_found'],
    ['an unknown entry', { requestId: 'run1', at: 999 }, 'request_invalid'],
  ])('of %s fails', async (_, fork, code) => {
    const origin = await evaluated();
    const run = await forked(origin, 1, { fork });
    expect(foldRun(run.run, await run.entries()).end).toMatchObject({ status: 'failed', error: { code } });
  });

  test('requests pending shared effects itself, with deadlines from now', async () => {
    const work = processOf(async (context) => {
      const task = (n: number) =>
        context.task({ id: 't', build: () => ({ kind: 'node', title: `t${n}` }) }, { n }, { key: `t${n}` });
      const seen = [context.runId, context.random()];
      const answers = await context.parallel.all([
        () => task(1),
        () => task(2),
        () => context.breakpoint({ question: 'Go?' }),
      ]);
      return { seen, answers };
    });
    const origin = new SimulatedRun(work);
    await origin.submit();
    const [, second] = origin.published
      .filter(({ body }) => body.type === 'runtime.task.requested')
      .map(({ body }) => body);
    const { effectId } = second as unknown as { effectId: string };
    await origin.send('command.run.answer', { idempotencyKey: 'a', effectId, answer: 'done', answeredBy: 'x' });
    const at = (await origin.entries()).length;
    const fork = await forked(origin, at, {}, work);
    const pending = [...foldRun(fork.run, await fork.entries()).effects.values()].filter(
      ({ status }) => status === 'requested',
    );
    expect(pending.map(({ kind, requestedAt }) => [kind, Date.parse(requestedAt)])).toEqual([
      ['task', fork.now],
      ['breakpoint', fork.now],
    ]);
    expect(fork.types).toEqual([
      'runtime.request.started',
      'runtime.task.completed',
      'runtime.task.requested',
      'runtime.approval.requested',
      'runtime.request.waiting',
      'control.directive.emitted',
    ]);
    const asked = fork.requested('runtime.approval.requested') as unknown as { effectId: string; approval: unknown };
    const task = fork.requested('runtime.task.requested') as unknown as { effectId: string };
    await fork.send('command.run.answer', {
      idempotencyKey: 'b',
      effectId: task.effectId,
      answer: 'too',
      answeredBy: 'x',
    });
    const breakpoint = pending[1]?.effectId as string;
    expect(JSON.stringify(asked)).toContain(breakpoint);
    await fork.send('command.run.answer', {
      idempotencyKey: 'c',
      effectId: breakpoint,
      answer: { approved: true },
      answeredBy: 'x',
    });
    const { end } = foldRun(fork.run, await fork.entries());
    const output = end?.status === 'completed' && isObject(end.output) ? end.output : {};
    expect(output.answers).toMatchObject(['too', 'done', { approved: true }]);
    expect(output.seen).toEqual(['run1', expect.any(Number)]);
  });
});
