import { describe, expect, test } from '@jest/globals';
import type { JsonValue } from '@reins/contracts';
import type { DefinedTask, ProcessContext } from '@reins/replay';
import type { BuiltInProcess } from '../../processes/built-in-process.ts';
import { SimulatedRun } from '../../testing/simulated-run.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

const task = (id: string): DefinedTask<null> => ({ id, build: () => ({ kind: 'node' }) });

const processOf = (run: (context: ProcessContext) => Promise<JsonValue>, codeHash = 'v1'): BuiltInProcess => ({
  id: 'test',
  codeHash,
  onError: 'operator',
  run,
});

/** Requests the tasks one after the other, and returns their answers. */
const inTurn =
  (...names: string[]) =>
  async (context: ProcessContext): Promise<JsonValue> => {
    const answers: JsonValue[] = [];
    for (const name of names) answers.push(await context.task(task(name), null));
    return answers;
  };

async function started(process: BuiltInProcess): Promise<SimulatedRun> {
  const run = new SimulatedRun(process);
  await run.submit();
  return run;
}

/** The first requested effect with this key. */
async function effectIdOf(run: SimulatedRun, key: RegExp): Promise<string> {
  const found = (await run.entries()).flatMap((entry) =>
    entry.type === 'EFFECT_REQUESTED' && key.test(entry.data.key) ? [entry.data.effectId] : [],
  );
  return String(found[0]);
}

/** Answers the last requested task of this name. */
async function answer(run: SimulatedRun, name: string, value: JsonValue): Promise<void> {
  const asked = run.published.findLast(
    ({ body }) => body.type === 'runtime.task.requested' && body.taskId === name,
  )?.body;
  const { effectId, attempt } = asked as unknown as { effectId: string; attempt: number };
  await run.send('runtime.task.completed', { effectId, attempt, kind: 'node', taskId: name, value });
}

const asked = (run: SimulatedRun): string[] =>
  run.published.flatMap(({ body }) => (body.type === 'runtime.task.requested' ? [body.taskId] : []));

const outputOf = (run: SimulatedRun): JsonValue => run.requested('runtime.request.completed').output;

describe('a paused run', () => {
  test('records answers, and its process continues with them when it is resumed', async () => {
    const run = await started(processOf(inTurn('a', 'b')));
    await run.send('command.run.pause', { idempotencyKey: 'p', reason: 'lunch' });
    expect(run.requested('runtime.request.waiting')).toMatchObject({ reason: 'operator', effectId: 'run1' });
    await answer(run, 'a', 1);
    run.crash();
    await run.pass(DAY_MS);
    expect(asked(run)).toEqual(['a']);
    await run.send('command.run.resume', { idempotencyKey: 'r' });
    expect(asked(run)).toEqual(['a', 'b']);
    run.crash();
    await answer(run, 'b', 2);
    expect(outputOf(run)).toEqual([1, 2]);
  });

  test('restarts with the time of the recorded answer, also with later owners', async () => {
    const run = await started(
      processOf(async (context) => {
        const now = context.now().toISOString();
        const answered = await context.task({ id: 'round', build: () => ({ kind: 'node' }) }, { now });
        return answered === 'last' ? [now, context.now().toISOString()] : context.continueAsNew(null);
      }),
    );
    await run.send('command.run.pause', { idempotencyKey: 'p' });
    await run.pass(1_000);
    await answer(run, 'round', 'go on');
    const at = new Date(run.now).toISOString();
    await run.pass(DAY_MS);
    await run.send('command.run.resume', { idempotencyKey: 'r' });
    run.crash();
    await run.pass(1_000);
    await answer(run, 'round', 'last');
    expect(outputOf(run)).toEqual([at, new Date(run.now).toISOString()]);
  });

  test('is paused and resumed once when the commands are repeated', async () => {
    const run = await started(processOf(inTurn('a')));
    for (const key of ['p', 'p', 'q']) await run.send('command.run.pause', { idempotencyKey: key });
    for (const key of ['r', 'r', 's']) await run.send('command.run.resume', { idempotencyKey: key });
    await run.send('command.run.pause', { idempotencyKey: 'p' });
    expect(run.types.filter((type) => /waiting|resumed/.test(type))).toEqual([
      'runtime.request.waiting',
      'runtime.request.resumed',
    ]);
  });

  test('cleans up when it is cancelled', async () => {
    const run = await started(
      processOf(async (context) => {
        context.onCleanup(async () => {
          await context.task(task('tidy'), null);
        });
        return context.task(task('a'), null);
      }),
    );
    await run.send('command.run.pause', { idempotencyKey: 'p' });
    await run.send('command.run.cancel', { idempotencyKey: 'c' });
    expect(asked(run)).toEqual(['a', 'tidy']);
    await answer(run, 'tidy', null);
    expect(run.types.at(-2)).toBe('runtime.request.cancelled');
  });
});

test('cancelling a paused run does not stop the host of a shielded effect', async () => {
  const sha = 'a'.repeat(64);
  const request = { stage: 'execute', runtimeId: 'pi', runtimeSource: 'default', tree: sha };
  const hostRequestRef = { sha256: sha, size: 1 };
  const run = await started(
    processOf((context) => context.shield(() => context.effect('stage', { ...request, hostRequestRef }, { key: 's' }))),
  );
  await run.start();
  await run.send('command.run.pause', { idempotencyKey: 'p' });
  await run.send('command.run.cancel', { idempotencyKey: 'c' });
  expect(run.orders).toEqual([]);
  await run.answer('stage', 'runtime.stage.completed', { output: 'x', tree: sha });
  expect(run.types.at(-2)).toBe('runtime.request.cancelled');
});

test('a run that an operator halts completes with the payload', async () => {
  const run = await started(processOf(inTurn('a')));
  await run.send('command.run.halt', { idempotencyKey: 'h', reason: 'good enough', payload: { kept: 1 } });
  expect(run.requested('runtime.request.completed')).toMatchObject({ halted: true, output: { kept: 1 } });
  expect(run.directives.at(-1)).toBe('converge');
});

describe('an invalidated effect', () => {
  test('is requested again with all later effects; earlier ones are kept', async () => {
    const run = await started(processOf(inTurn('a', 'b', 'c')));
    await answer(run, 'a', 1);
    await answer(run, 'b', 'wrong');
    const command = { idempotencyKey: 'i', effectId: await effectIdOf(run, /^task\.b\./), reason: 'wrong' };
    await run.send('command.effect.invalidate', command);
    await run.send('command.effect.invalidate', command);
    expect(asked(run)).toEqual(['a', 'b', 'c', 'b']);
    expect(run.requested('runtime.task.requested').attempt).toBe(2);
    run.crash();
    await answer(run, 'b', 'right');
    await answer(run, 'c', 3);
    expect(outputOf(run)).toEqual([1, 'right', 3]);
  });

  test('ignores answers to earlier attempts', async () => {
    const run = await started(processOf(inTurn('a')));
    const { effectId } = run.requested('runtime.task.requested');
    await run.send('command.effect.invalidate', { idempotencyKey: 'i', effectId });
    const late = { effectId, attempt: 1, kind: 'node', taskId: 'a', value: 'late' };
    await run.send('runtime.task.completed', late);
    expect(run.types).not.toContain('runtime.request.completed');
    await answer(run, 'a', 'new');
    expect(outputOf(run)).toEqual(['new']);
  });

  test('keeps a later signal for the new request', async () => {
    const run = await started(
      processOf(async (context) => [await context.task(task('a'), null), await context.signal('go')]),
    );
    const { effectId } = run.requested('runtime.task.requested');
    await answer(run, 'a', 'wrong');
    await run.send('command.run.pause', { idempotencyKey: 'p' });
    await run.send('command.signal', { idempotencyKey: 's', name: 'go', payload: 'kept' });
    await run.send('command.effect.invalidate', { idempotencyKey: 'i', effectId });
    await run.send('command.run.resume', { idempotencyKey: 'r' });
    await answer(run, 'a', 'right');
    expect(outputOf(run)).toEqual(['right', 'kept']);
  });

  test('of kind step runs again', async () => {
    let runs = 0;
    const step = (context: ProcessContext) =>
      context.step('count', () => {
        runs += 1;
        return runs;
      });
    const run = await started(processOf(async (context) => [await step(context), await context.task(task('a'), null)]));
    await run.runSteps();
    await run.send('command.effect.invalidate', { idempotencyKey: 'i', effectId: await effectIdOf(run, /^step/) });
    await run.runSteps();
    await answer(run, 'a', 0);
    expect(outputOf(run)).toEqual([2, 0]);
  });
});

describe('a process that fails', () => {
  const broken = processOf(async (context) => {
    await context.task(task('a'), null);
    throw new Error('a typo');
  });

  async function broke(): Promise<SimulatedRun> {
    const run = await started(broken);
    await answer(run, 'a', 1);
    expect(run.requested('runtime.request.waiting').reason).toBe('operator');
    return run;
  }

  test('waits for an operator, and fails with its error after the deadline', async () => {
    const run = await broke();
    run.crash();
    await run.pass(DAY_MS);
    expect(run.requested('runtime.request.failed').error).toMatchObject({ code: 'process_failed', message: 'a typo' });
  });

  test('continues with fixed code', async () => {
    const run = await broke();
    run.crash();
    run.process = processOf(inTurn('a', 'b'), 'v2');
    await run.pass(0);
    expect(asked(run)).toEqual(['a', 'b']);
    expect((await run.entries()).map(({ type }) => type)).toContain('PROCESS_CODE_CHANGED');
    await run.pass(DAY_MS);
    await answer(run, 'b', 2);
    expect(outputOf(run)).toEqual([1, 2]);
  });

  test('waits again when it is resumed without a fix', async () => {
    const run = await broke();
    await run.pass(DAY_MS / 2);
    await run.send('command.run.resume', { idempotencyKey: 'r' });
    expect(run.types.slice(-4)).toEqual([
      'runtime.request.resumed',
      'control.directive.emitted',
      'runtime.request.waiting',
      'control.directive.emitted',
    ]);
    await run.pass(DAY_MS / 2);
    expect(run.types).not.toContain('runtime.request.failed');
    await run.pass(DAY_MS / 2);
    expect(run.types.at(-2)).toBe('runtime.request.failed');
  });

  test('can be cancelled or halted', async () => {
    const run = await broke();
    await run.send('command.run.cancel', { idempotencyKey: 'c' });
    expect(run.types.at(-2)).toBe('runtime.request.cancelled');
    const other = await broke();
    await other.send('command.run.halt', { idempotencyKey: 'h' });
    expect(other.types.at(-2)).toBe('runtime.request.completed');
  });
});

test('a process that waits for a foreign promise waits for an operator, and can be cancelled', async () => {
  const run = await started(processOf(() => new Promise(() => {})));
  expect(run.requested('runtime.request.waiting').reason).toBe('operator');
  run.crash();
  await run.pass(DAY_MS / 2);
  expect(run.types.filter((type) => type === 'runtime.request.waiting')).toHaveLength(1);
  await run.pass(DAY_MS);
  expect(run.requested('runtime.request.failed').error).toMatchObject({ code: 'process_invalid' });
  const other = await started(processOf(() => new Promise(() => {})));
  await other.send('command.run.cancel', { idempotencyKey: 'c' });
  await other.pass(DAY_MS / 2);
  expect(other.types.at(-2)).toBe('runtime.request.cancelled');
});

describe('a process that diverges from its journal', () => {
  async function diverged(): Promise<SimulatedRun> {
    const run = await started(processOf(inTurn('a', 'b')));
    await answer(run, 'a', 1);
    run.crash();
    run.process = processOf(inTurn('x', 'b'));
    await run.pass(0);
    return run;
  }

  test('waits for an operator, and reports the entry of the divergence', async () => {
    const run = await diverged();
    expect(run.requested('runtime.request.waiting').reason).toBe('operator');
    const [last] = (await run.entries()).slice(-1);
    expect(last).toMatchObject({ type: 'PROCESS_RUNTIME_ERROR', data: { error: { code: 'replay_nondeterminism' } } });
    await run.pass(DAY_MS);
    expect(run.requested('runtime.request.failed').error.code).toBe('replay_nondeterminism');
  });

  test('continues when the previous code is restored and the run resumed', async () => {
    const run = await diverged();
    run.process = processOf(inTurn('a', 'b'));
    await run.send('command.run.resume', { idempotencyKey: 'r' });
    await answer(run, 'b', 2);
    expect(outputOf(run)).toEqual([1, 2]);
  });

  test('continues when the diverging effect is invalidated', async () => {
    const run = await diverged();
    const effectId = await effectIdOf(run, /^task\.a\./);
    await run.send('command.effect.invalidate', { idempotencyKey: 'i', effectId });
    expect(asked(run)).toEqual(['a', 'b', 'x']);
    await answer(run, 'x', 'X');
    await answer(run, 'b', 2);
    expect(outputOf(run)).toEqual(['X', 2]);
  });
});

test('the facts name who answered a task and who halted the run', async () => {
  const run = await started(processOf(inTurn('a', 'b')));
  const { effectId } = run.requested('runtime.task.requested');
  const command = { effectId, answer: 1, answeredBy: 'ann', idempotencyKey: 'a1' };
  await run.send('command.run.answer', command);
  expect(run.requested('runtime.task.completed')).toMatchObject({ value: 1, answeredBy: 'ann' });
  await run.send('command.run.halt', { idempotencyKey: 'h', reason: 'enough', requestedBy: 'bob' });
  expect(run.requested('runtime.request.completed')).toMatchObject({ halted: true, haltedBy: 'bob', reason: 'enough' });
});
