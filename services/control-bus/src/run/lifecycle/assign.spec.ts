import { describe, expect, test } from '@jest/globals';
import { foldRun, hashJson, type RunState } from '@reins/journal';
import { type DefinedTask, replayRun } from '@reins/replay';
import { type BuiltInProcess, definitionFor } from '../../processes/built-in-process.ts';
import { SHA, SimulatedCrash, SimulatedRun } from '../../testing/simulated-run.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const task: DefinedTask<null> = { id: 'work', build: () => ({ kind: 'node' }) };

/** A workspace process: requests a task, and returns what it received. */
const ship: BuiltInProcess = {
  id: 'process/main.ts#ship',
  codeHash: hashJson('ship/1'),
  run: async (context, { inputs }) => {
    const worked = await context.task(task, null);
    return [inputs as unknown as string, { ...context.request }, worked];
  },
};
const OPTIONS = { model: 'm', metadata: { ticket: 7 } };

const assign = (run: SimulatedRun, fields: object = {}): Promise<void> =>
  run.send('command.run.assign', { idempotencyKey: 'a', process: ship.id, ...fields });

async function submitted(process = 'bare-run'): Promise<SimulatedRun> {
  const run = new SimulatedRun();
  await run.submit({ process, ...OPTIONS });
  return run;
}

async function assigned(run: SimulatedRun, fields: object = {}): Promise<SimulatedRun> {
  run.process = ship;
  await assign(run, fields);
  return run;
}

const stateOf = async (run: SimulatedRun): Promise<RunState> => foldRun(run.run, await run.entries());
const typesIn = async (run: SimulatedRun): Promise<string[]> => (await run.entries()).map(({ type }) => type);

const worked = (run: SimulatedRun): Promise<void> =>
  run.answer('task', 'runtime.task.completed', { kind: 'node', taskId: 'work', value: 1 });

describe('a request without a process', () => {
  test('waits for a process, and requests nothing meanwhile', async () => {
    const run = await submitted();
    run.crash();
    await run.pass(DAY_MS / 2);
    const expiresAt = '2026-01-02T00:00:00.000Z';
    expect(run.requested('runtime.request.waiting')).toMatchObject({ reason: 'process', effectId: 'run1', expiresAt });
    expect(await typesIn(run)).toEqual(['RUN_CREATED']);
  });

  test('starts with the assigned process and the input of the request, and completes', async () => {
    const run = await assigned(await submitted());
    await assign(run);
    run.crash();
    await worked(run);
    const { output } = run.requested('runtime.request.completed');
    expect(output).toEqual(['write', OPTIONS, 1]);
    const [, given, ...rest] = await run.entries();
    expect(given).toMatchObject({
      type: 'PROCESS_ASSIGNED',
      data: {
        process: { id: ship.id, codeHash: ship.codeHash },
        previous: { id: 'bare-run', codeHash: 'none' },
        force: false,
        inputs: 'write',
        idempotencyKey: 'a',
      },
    });
    expect(rest.map(({ type }) => type)).toEqual(['EFFECT_REQUESTED', 'EFFECT_RESOLVED', 'RUN_COMPLETED']);
    expect(run.types.filter((type) => /resumed$/.test(type))).toHaveLength(1);
  });

  test('takes other inputs with its process; a built-in process also gets the defaults of the installation', async () => {
    const run = await submitted();
    await assign(run, { process: 'direct-tool', inputs: { toolId: 'hammer' }, reason: 'a nail', requestedBy: 'ann' });
    expect(run.requested('runtime.tool.direct.requested')).toMatchObject({ toolId: 'hammer' });
    const { inputs, process } = await stateOf(run);
    expect(process.id).toBe('direct-tool');
    expect(inputs).toMatchObject({ input: { toolId: 'hammer' }, ...OPTIONS, profile: { default: 'openai_chat' } });
    const [, given] = await run.entries();
    expect(given?.data).toMatchObject({ reason: 'a nail', requestedBy: 'ann' });
  });

  test('fails when no process is assigned in time', async () => {
    const run = await submitted();
    await run.pass(DAY_MS);
    expect(run.requested('runtime.request.failed').error).toMatchObject({
      code: 'process_missing',
      hint: expect.stringContaining('reins run:assign-process'),
    });
  });

  test('ends immediately when it is cancelled, and rejects a later assignment', async () => {
    const run = await submitted();
    await run.send('command.run.cancel', { idempotencyKey: 'c' });
    expect(await typesIn(run)).toEqual(['RUN_CREATED', 'RUN_CANCEL_REQUESTED', 'RUN_CANCELLED']);
    await assigned(run);
    expect(await typesIn(run)).toHaveLength(3);
  });

  test('starts after a pause when it is resumed, and keeps early signals for its process', async () => {
    const waits: BuiltInProcess = { ...ship, run: (context) => context.signal('go') };
    const run = await submitted();
    await run.send('command.signal', { idempotencyKey: 's', name: 'go', payload: 'early' });
    await run.send('command.run.pause', { idempotencyKey: 'p' });
    run.process = waits;
    await assign(run);
    expect(run.types.at(-1)).not.toBe('runtime.request.completed');
    await run.send('command.run.resume', { idempotencyKey: 'r' });
    expect(run.requested('runtime.request.completed').output).toBe('early');
  });
});

describe('a request with a process', () => {
  test('keeps it, unless the assignment has force', async () => {
    const run = await submitted('pipeline');
    const before = await typesIn(run);
    await expect(assigned(run)).rejects.toMatchObject({ code: 'process_already_assigned' });
    run.crash();
    expect(await typesIn(run)).toEqual(before);
  });

  test('starts another process by force: pending effects are stopped, and their late answers are ignored', async () => {
    const run = new SimulatedRun();
    await run.submit({ process: 'direct-tool', input: { toolId: 'hammer' }, ...OPTIONS });
    const { effectId, attempt } = run.requested('runtime.tool.direct.requested');
    await assigned(run, { force: true });
    expect(run.orders).toEqual([{ effectId, kind: 'cancel', attempt: 1 }]);
    await run.send('runtime.tool.direct.completed', { effectId, attempt, toolId: 'hammer', output: 'late' });
    await worked(run);
    const { output } = run.requested('runtime.request.completed');
    expect(output).toEqual([{ toolId: 'hammer' }, { ...OPTIONS, attachments: [], stages: {} }, 1]);
    expect((await run.entries()).find(({ type }) => type === 'PROCESS_ASSIGNED')?.data).toMatchObject({
      previous: { id: 'direct-tool' },
      force: true,
    });
  });

  test.each(['before append', 'append', 'publish'] as const)(
    'is assigned another process once, although its owner crashes: %s',
    async (place) => {
      const run = await submitted('pipeline');
      run.process = ship;
      run.crashAt = place;
      await expect(assign(run, { force: true })).rejects.toBeInstanceOf(SimulatedCrash);
      run.crash();
      await assign(run, { force: true });
      await worked(run);
      expect((await typesIn(run)).filter((type) => type === 'PROCESS_ASSIGNED')).toHaveLength(1);
      expect(run.requested('runtime.request.completed').output).toEqual([
        'write',
        { ...OPTIONS, attachments: [], stages: {} },
        1,
      ]);
    },
  );

  test('continues with another process after a process error', async () => {
    const run = new SimulatedRun({ ...ship, onError: 'operator', run: () => Promise.reject(new Error('a mistake')) });
    await run.submit({ process: ship.id });
    expect(run.requested('runtime.request.waiting')).toMatchObject({ reason: 'operator' });
    await assigned(run, { force: true });
    await worked(run);
    expect(run.requested('runtime.request.completed').output).toEqual(['write', {}, 1]);
  });

  test('is compared in a replay with the decisions of the assigned process', async () => {
    const run = await assigned(await submitted());
    await worked(run);
    const entries = await run.entries();
    const state = await stateOf(run);
    const other: BuiltInProcess = { ...ship, run: (context) => context.signal('other') };
    const replayed = (process: BuiltInProcess) =>
      replayRun({ run: run.run, entries, definition: definitionFor(process, state) });
    expect(await replayed(ship)).toMatchObject({ processState: 'completed', unrecorded: [] });
    expect((await replayed(other)).divergence).toBeDefined();
  });
});

describe('corrected code of a process', () => {
  const REVISION = 'c'.repeat(64);
  const taskOf = (id: string): DefinedTask<null> => ({ id, build: () => ({ kind: 'node', of: id }) });
  const version = (name: string, run: BuiltInProcess['run']): BuiltInProcess => ({
    ...ship,
    onError: 'operator',
    codeHash: hashJson(name),
    run,
  });
  const broken = version('v1', async (context) => {
    await context.task(task, null);
    throw new Error('a typo');
  });
  const fixed = version('v2', async (context) => [
    await context.task(task, null),
    await context.task(taskOf('b'), null),
  ]);
  const correct = (run: SimulatedRun, process: BuiltInProcess, fields: object = {}): Promise<void> => {
    run.process = process;
    return assign(run, { revision: REVISION, ...fields });
  };
  const failed = async (): Promise<SimulatedRun> => {
    const run = new SimulatedRun(broken);
    await run.submit({ process: ship.id });
    await worked(run);
    expect(run.requested('runtime.request.waiting')).toMatchObject({ reason: 'operator' });
    return run;
  };

  test('continues where the process failed, with the recorded results', async () => {
    const run = await failed();
    await correct(run, fixed, { requestedBy: 'ann' });
    expect(run.types.slice(-3)).toEqual([
      'runtime.request.resumed',
      'control.directive.emitted',
      'runtime.task.requested',
    ]);
    expect(await stateOf(run)).toMatchObject({
      process: { id: ship.id, codeHash: fixed.codeHash, revision: REVISION },
      status: 'running',
    });
    const changed = (await run.entries()).find(({ type }) => type === 'PROCESS_CODE_CHANGED');
    expect(changed?.data).toMatchObject({ from: broken.codeHash, to: fixed.codeHash, requestedBy: 'ann' });
    run.crash();
    await run.answer('task', 'runtime.task.completed', { kind: 'node', taskId: 'b', value: 2 });
    expect(run.requested('runtime.request.completed').output).toEqual([1, 2]);
  });

  test('is given once, although its command is repeated', async () => {
    const run = await failed();
    await correct(run, fixed);
    const before = await typesIn(run);
    await correct(run, fixed);
    expect(await typesIn(run)).toEqual(before);
    await expect(correct(run, fixed, { idempotencyKey: 'b' })).rejects.toMatchObject({
      code: 'process_already_assigned',
    });
  });

  test('is refused if it decides something else than the history: the effect, and both requests', async () => {
    const run = await failed();
    const before = await run.entries();
    const other = version('v3', (context) => context.task(taskOf('other'), null));
    await expect(correct(run, other)).rejects.toMatchObject({
      code: 'replay_nondeterminism',
      message: expect.stringMatching(
        /does not match the history of the run: the journal has task .*work.* \(entry 2\); the process requested task .*other/,
      ),
      problems: [{ path: expect.stringMatching(/^ef_/), hint: expect.stringContaining('set `force`') }],
    });
    run.crash();
    expect(await run.entries()).toEqual(before);
  });

  test('cannot change the inputs, and is of the same process', async () => {
    const run = await failed();
    await expect(correct(run, fixed, { inputs: 1 })).rejects.toMatchObject({ code: 'request_invalid' });
    run.crash();
    await expect(correct(run, fixed, { process: 'other.ts#ship' })).rejects.toMatchObject({
      code: 'process_already_assigned',
    });
  });

  test('waits for the resume of a paused run', async () => {
    const run = new SimulatedRun(broken);
    await run.submit({ process: ship.id });
    await run.send('command.run.pause', { idempotencyKey: 'p' });
    await worked(run);
    await correct(run, fixed);
    expect((await typesIn(run)).at(-1)).toBe('PROCESS_CODE_CHANGED');
    await run.send('command.run.resume', { idempotencyKey: 'r' });
    expect(run.requested('runtime.task.requested')).toMatchObject({ taskId: 'b' });
  });

  test('is kept by a process that continues as new', async () => {
    const run = await failed();
    const again = version('v4', async (context, { inputs }) => {
      const done = await context.task(task, null);
      return (inputs as unknown) === 'again' ? done : context.continueAsNew('again');
    });
    await correct(run, again);
    expect((await typesIn(run)).slice(-2)).toEqual(['PROCESS_ASSIGNED', 'EFFECT_REQUESTED']);
    expect(await stateOf(run)).toMatchObject({ process: { codeHash: again.codeHash, revision: REVISION } });
  });

  test('starts again by force, with the code of the revision', async () => {
    const run = await failed();
    const other = version('v3', (context) => context.task(taskOf('other'), null));
    await correct(run, other, { force: true });
    expect(await stateOf(run)).toMatchObject({ process: { codeHash: other.codeHash, revision: REVISION } });
    expect(run.requested('runtime.task.requested')).toMatchObject({ taskId: 'other' });
  });
});

describe('an invalid assignment leaves the run unchanged', () => {
  test.each([
    ['nothing', 'process_unknown'],
    ['bare-run', 'request_invalid'],
  ])('%s: %s', async (process, code) => {
    const run = await submitted();
    await expect(assign(run, { process })).rejects.toMatchObject({ code, problems: [{ hint: expect.any(String) }] });
    run.crash();
    expect(await typesIn(run)).toEqual(['RUN_CREATED']);
  });
});

describe('a fork', () => {
  const forked = async (origin: SimulatedRun, at: number, more: object): Promise<SimulatedRun> => {
    const fork = new SimulatedRun(origin.process, 'fork1', origin.journal);
    await fork.submit({ fork: { requestId: 'run1', at }, revision: SHA, ...more });
    return fork;
  };

  test('keeps an assigned process, with the input and the options of the fork', async () => {
    const origin = await assigned(await submitted(), { inputs: 'given' });
    const fork = await forked(origin, 3, { process: ship.id, input: 'other', model: 'n' });
    await worked(fork);
    expect(fork.requested('runtime.request.completed').output).toEqual(['other', { model: 'n' }, 1]);
    const given = (await fork.entries()).find(({ type }) => type === 'PROCESS_ASSIGNED');
    expect(given?.data).not.toHaveProperty('idempotencyKey');
  });

  test('from before the assignment waits for a process of its own', async () => {
    const origin = await assigned(await submitted());
    const fork = await forked(origin, 1, { process: 'bare-run' });
    expect(fork.requested('runtime.request.waiting')).toMatchObject({ reason: 'process', effectId: 'fork1' });
    await assign(fork, { idempotencyKey: 'b' });
    await worked(fork);
    expect(fork.types).toContain('runtime.request.completed');
  });
});
