import { beforeEach, describe, expect, test } from '@jest/globals';
import { SimulatedRun } from '../../testing/simulated-run.ts';

/** The deadlines of `SimulatedRun`, and the margin for the worker's own report. */
const START_MS = 10_000 + 5_000;
const RUN_MS = 60_000 + 5_000;
const LONG_MS = 45_000;

describe('a stage that is prepared slowly', () => {
  let run: SimulatedRun;
  beforeEach(async () => {
    run = new SimulatedRun();
    await run.submit();
    await run.plan(['execute']);
    await run.prepare();
  });

  const claim = () => run.answer('stage', 'runtime.stage.claimed', { hostId: 'h1' });
  const attempts = () => run.published.filter(({ body }) => body.type === 'runtime.stage.requested').length;
  const failure = () => run.requested('runtime.stage.failed');

  test('is not requested again while its host prepares it', async () => {
    await claim();
    expect(run.requested('runtime.stage.claimed')).toMatchObject({ attempt: 1, hostId: 'h1' });
    await run.pass(START_MS + LONG_MS);
    expect(attempts()).toBe(1);
    await run.start();
    await run.pass(LONG_MS);
    await run.answer('stage', 'runtime.stage.completed', { output: 'done', tree: 'b'.repeat(64) });
    expect(run.types).toContain('runtime.request.completed');
    expect(attempts()).toBe(1);
  });

  test('is not requested again when the report of its claim is late', async () => {
    run.claimedBy = 'h1';
    await run.pass(START_MS);
    expect(attempts()).toBe(1);
    expect(run.requested('runtime.stage.claimed')).toMatchObject({ attempt: 1, hostId: 'h1' });
    await claim();
    expect(run.types.filter((type) => type === 'runtime.stage.claimed')).toHaveLength(1);
  });

  test('has not started when no host can claim it any more', async () => {
    await run.pass(START_MS);
    expect(failure()).toMatchObject({ attempt: 1, outcome: 'failed', error: { code: 'effect_not_started' } });
    expect(attempts()).toBe(2);
  });

  test('does not lose an attempt to a host that did not claim it', async () => {
    const broken = { error: { code: 'harness_failed', message: 'broken' }, retryable: true };
    await run.pass(START_MS);
    await run.start();
    await run.answer('stage', 'runtime.stage.failed', broken);
    expect(attempts()).toBe(3);
    await run.start();
    await run.answer('stage', 'runtime.stage.failed', broken);
    expect(run.types).toContain('runtime.request.failed');
    expect(attempts()).toBe(3);
  });

  test('has an unknown outcome when its preparation takes too long, and its host is stopped', async () => {
    await claim();
    await run.pass(RUN_MS);
    expect(failure()).toMatchObject({ attempt: 1, outcome: 'unknown', error: { code: 'effect_timed_out' } });
    expect(run.orders).toEqual([expect.objectContaining({ kind: 'cancel', attempt: 1 })]);
    expect(attempts()).toBe(2);
  });

  test('has the whole time to run after its preparation', async () => {
    await claim();
    await run.pass(RUN_MS - 1_000);
    await run.start();
    await run.pass(RUN_MS - 1_000);
    expect(attempts()).toBe(1);
    await run.pass(1_000);
    expect(failure()).toMatchObject({ attempt: 1, outcome: 'unknown' });
  });

  test('is cancelled when its host confirms', async () => {
    await claim();
    await run.send('command.run.cancel', { idempotencyKey: 'c' });
    expect(run.orders).toEqual([expect.objectContaining({ kind: 'cancel', attempt: 1 })]);
    expect(run.types).not.toContain('runtime.request.cancelled');
    await run.answer('stage', 'runtime.stage.cancelled');
    expect(run.types).toContain('runtime.request.cancelled');
  });

  test('continues with the next owner', async () => {
    await claim();
    run.crash();
    await run.pass(START_MS);
    expect(attempts()).toBe(1);
    await run.pass(RUN_MS - START_MS);
    expect(failure()).toMatchObject({ outcome: 'unknown' });
  });
});

describe('a stage whose installation forbids retries of unknown outcomes', () => {
  const ATTEMPTS = 3;
  const broken = { error: { code: 'harness_failed', message: 'broken' }, retryable: true };
  let run: SimulatedRun;
  beforeEach(async () => {
    run = new SimulatedRun();
    run.stageLimits = { startWithinMs: 10_000, runForMs: 60_000, maxAttempts: ATTEMPTS, onUnknown: 'fail' };
    await run.submit();
    await run.plan(['execute']);
    await run.prepare();
  });

  const attempts = () => run.published.filter(({ body }) => body.type === 'runtime.stage.requested').length;

  test('is not requested again when its end was not seen, although attempts are left', async () => {
    await run.start();
    await run.pass(RUN_MS);
    expect(run.requested('runtime.stage.failed')).toMatchObject({ attempt: 1, outcome: 'unknown' });
    expect(attempts()).toBe(1);
    expect(run.types).toContain('runtime.request.failed');
  });

  test('is requested again after a failure, and not any more after the first unknown outcome', async () => {
    await run.start();
    await run.answer('stage', 'runtime.stage.failed', broken);
    expect(attempts()).toBe(2);
    await run.start();
    await run.pass(RUN_MS);
    expect(run.requested('runtime.stage.failed')).toMatchObject({ attempt: 2, outcome: 'unknown' });
    expect(attempts()).toBe(2);
    expect(run.types).toContain('runtime.request.failed');
  });

  test('is requested again when no host has started it', async () => {
    await run.pass(START_MS);
    expect(run.requested('runtime.stage.failed')).toMatchObject({ outcome: 'failed' });
    expect(attempts()).toBe(2);
  });
});

describe('a stage that waits for a host', () => {
  let run: SimulatedRun;
  beforeEach(async () => {
    run = new SimulatedRun();
    await run.submit();
    await run.plan(['execute']);
    await run.prepare();
  });

  const attempts = () => run.published.filter(({ body }) => body.type === 'runtime.stage.requested').length;
  const waitOneMinute = async () => {
    for (let seconds = 0; seconds < 60; seconds += 5) await run.pass(5_000);
  };

  test('waits in the queue while all hosts are busy, and then runs at its first attempt', async () => {
    run.hostsIdleSince = undefined;
    await waitOneMinute();
    run.crash();
    run.hostsIdleSince = undefined;
    await waitOneMinute();
    expect(attempts()).toBe(1);
    expect((await run.entries()).at(-1)?.type).toBe('EFFECT_REQUESTED');
    await run.start();
    await run.answer('stage', 'runtime.stage.completed', { output: 'done', tree: 'b'.repeat(64) });
    expect(run.types).toContain('runtime.request.completed');
    expect(attempts()).toBe(1);
  });

  test('fails when its request was lost, although the hosts are busy', async () => {
    run.hostsIdleSince = undefined;
    await waitOneMinute();
    expect(attempts()).toBe(1);
    run.isStageQueued = false;
    await waitOneMinute();
    expect(run.requested('runtime.stage.failed')).toMatchObject({ error: { code: 'effect_not_started' } });
    expect(attempts()).toBeGreaterThan(1);
  });

  test('fails when hosts were idle for its start deadline', async () => {
    run.hostsIdleSince = undefined;
    await waitOneMinute();
    run.hostsIdleSince = run.now;
    await run.pass(START_MS);
    expect(run.requested('runtime.stage.failed')).toMatchObject({
      attempt: 1,
      outcome: 'failed',
      error: { code: 'effect_not_started', message: 'no worker claimed the attempt within 75000 ms' },
    });
    expect(attempts()).toBe(2);
  });

  test('keeps its attempt when its owners restart, and the hosts appear later', async () => {
    for (let restart = 1; restart <= 3; restart += 1) {
      run.hostsIdleSince = undefined;
      await waitOneMinute();
      run.crash();
      await run.pass(START_MS - 1_000);
      expect(attempts()).toBe(1);
    }
  });

  test('fails when hosts were idle for its start deadline after a restart', async () => {
    run.hostsIdleSince = undefined;
    await waitOneMinute();
    run.crash();
    await run.pass(START_MS - 1_000);
    expect(attempts()).toBe(1);
    await run.pass(1_000);
    expect(attempts()).toBe(2);
  });

  test('does not wait longer than the limit of the queue', async () => {
    run.hostsIdleSince = undefined;
    for (let minutes = 0; minutes < 10; minutes += 1) await waitOneMinute();
    expect(attempts()).toBe(1);
    await run.pass(5_000);
    expect(attempts()).toBe(2);
    expect(run.requested('runtime.stage.failed')).toMatchObject({ error: { code: 'effect_not_started' } });
  });

  test('has its claim noticed at the extended deadline', async () => {
    run.hostsIdleSince = undefined;
    await waitOneMinute();
    run.hostsIdleSince = run.now;
    run.claimedBy = 'h1';
    await run.pass(START_MS);
    expect(attempts()).toBe(1);
    expect(run.requested('runtime.stage.claimed')).toMatchObject({ attempt: 1, hostId: 'h1' });
  });
});

test('the answer to a question names the attempt that asked', async () => {
  const run = new SimulatedRun();
  await run.submit();
  await run.plan(['execute']);
  await run.prepare();
  await run.start();
  await run.answer('stage', 'runtime.stage.failed', {
    error: { code: 'harness_failed', message: 'broken' },
    retryable: true,
  });
  await run.start();
  await run.answer('stage', 'runtime.stage.waiting', { question: 'which?' });
  const { effectId } = run.requested('runtime.stage.requested');
  await run.send('command.run.answer', { effectId, answer: 'this', idempotencyKey: 'a' });
  expect(run.orders).toEqual([{ effectId, kind: 'answer', attempt: 2 }]);
});
