import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { EventOf } from '@reins/contracts';
import { clockOf } from './clock.ts';
import { RunAlarms, type TimerPort } from './run-alarms.ts';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

const body = {
  type: 'timer.due',
  requestId: 'r',
  sessionId: 's',
  agentId: 'main',
  workspaceId: 'w',
  effectId: 'e',
  timer: 'run',
  attempt: 1,
} as EventOf<'timer.due'>;

function alarms(failFirst = 0) {
  const calls: string[] = [];
  let failures = failFirst;
  const record = async (what: string): Promise<void> => {
    failures -= 1;
    if (failures >= 0) throw new Error('the bus is away');
    calls.push(what);
  };
  const port: Pick<TimerPort, 'fire' | 'schedule'> = {
    fire: () => record('fired'),
    schedule: async ({ due }) => {
      await stored;
      await record(`scheduled ${due - start}`);
    },
  };
  /** Resolves the next call of `schedule`, while it is set. */
  let stored: Promise<void> | undefined;
  const start = Date.now();
  let isOwner = true;
  const runAlarms = new RunAlarms(port, {
    clock: clockOf(() => new Date()),
    random: () => 1,
    inMemoryMs: 30_000,
    onScheduled: (runId) => calls.push(`${runId} scheduled`),
    isOwner: () => isOwner,
  });
  return {
    calls,
    loseOwnership: () => {
      isOwner = false;
    },
    set: (ms: number) => runAlarms.set('r', { due: start + ms, body, version: 1 }),
    clear: () => runAlarms.clear('r'),
    end: () => runAlarms.end('r'),
    holdSchedules: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      stored = promise;
      return resolve;
    },
    stop: () => runAlarms.stop(),
  };
}

test('keeps a short timer in memory, and fires it when it is due', async () => {
  const { calls, set } = alarms();
  set(10_000);
  await jest.advanceTimersByTimeAsync(9_999);
  expect(calls).toEqual([]);
  await jest.advanceTimersByTimeAsync(1);
  expect(calls).toEqual(['fired']);
});

test('schedules a longer timer in the stream', async () => {
  const { calls, set } = alarms();
  set(3_600_000);
  await jest.advanceTimersByTimeAsync(30_000);
  expect(calls).toEqual(['scheduled 3600000', 'r scheduled']);
  await jest.advanceTimersByTimeAsync(4_000_000);
  expect(calls).toHaveLength(2);
});

test('replaces the timer of a run', async () => {
  const { calls, set, clear } = alarms();
  set(1_000);
  set(2_000);
  await jest.advanceTimersByTimeAsync(1_500);
  clear();
  await jest.advanceTimersByTimeAsync(10_000);
  expect(calls).toEqual([]);
});

test('retries after growing delays while the bus is unavailable', async () => {
  const { calls, set } = alarms(3);
  set(0);
  await jest.advanceTimersByTimeAsync(6_999);
  expect(calls).toEqual([]);
  await jest.advanceTimersByTimeAsync(1);
  expect(calls).toEqual(['fired']);
});

test('does not retry after it has stopped', async () => {
  const { calls, set, stop } = alarms(1);
  set(1_000);
  jest.advanceTimersByTime(1_000);
  stop();
  await jest.advanceTimersByTimeAsync(10_000);
  expect([calls, jest.getTimerCount()]).toEqual([[], 0]);
});

test('ends only when the timer that is being scheduled is in the stream', async () => {
  const { calls, end, holdSchedules, set } = alarms();
  const store = holdSchedules();
  set(3_600_000);
  await jest.advanceTimersByTimeAsync(30_000);
  const ended = end().then((hasScheduled) => calls.push(`ended, has scheduled: ${hasScheduled}`));
  await jest.advanceTimersByTimeAsync(10_000);
  expect(calls).toEqual([]);
  store();
  await ended;
  expect(calls).toEqual(['scheduled 3600000', 'ended, has scheduled: true']);
});

test('schedules nothing after the end, even if storing the timer failed', async () => {
  const { calls, end, holdSchedules, set } = alarms(1);
  const fail = holdSchedules();
  set(3_600_000);
  await jest.advanceTimersByTimeAsync(30_000);
  const ended = end();
  fail();
  expect(await ended).toBe(true);
  await jest.advanceTimersByTimeAsync(600_000);
  expect([calls, jest.getTimerCount()]).toEqual([[], 0]);
});

test('cancels the timer of a run that ends, and knows that none was scheduled', async () => {
  const { calls, end, set } = alarms();
  set(3_600_000);
  expect(await end()).toBe(false);
  await jest.advanceTimersByTimeAsync(600_000);
  expect(calls).toEqual([]);
});

test.each([10_000, 90_000])('a former owner neither fires nor stores a timer (%p ms)', async (ms) => {
  const { calls, loseOwnership, set } = alarms();
  set(ms);
  loseOwnership();
  await jest.advanceTimersByTimeAsync(200_000);
  expect(calls).toEqual([]);
});
