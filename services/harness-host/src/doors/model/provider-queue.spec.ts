import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { MAX_WAIT_MS, ProviderQueue, retryAfterMs } from './provider-queue.ts';

const NEVER = new AbortController().signal;
const [RUN, OTHER] = [{}, {}];

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** Records the calls that may start, in order. */
function callsOf(queue: ProviderQueue) {
  const started: string[] = [];
  const enter = (name: string, signal = NEVER, run: object = RUN) =>
    queue.enter(signal, run).then(
      (busy) => void started.push(busy ? `${name} busy` : name),
      () => void started.push(`${name} aborted`),
    );
  return { started, enter };
}
const settle = () => jest.advanceTimersByTimeAsync(0);

describe('ProviderQueue', () => {
  test('starts as many calls as the limit allows, and the others in order when one ends', async () => {
    const queue = new ProviderQueue({ maxCalls: 2 });
    const { started, enter } = callsOf(queue);
    for (const name of ['a', 'b', 'c', 'd']) void enter(name);
    await settle();
    expect(started).toEqual(['a', 'b']);
    queue.leave(RUN);
    await settle();
    expect(started).toEqual(['a', 'b', 'c']);
  });

  test('refuses calls beyond the limit of the waiting ones', async () => {
    const queue = new ProviderQueue({ maxCalls: 1, maxWaitingCalls: 1 });
    const { started, enter } = callsOf(queue);
    for (const name of ['a', 'b', 'c']) void enter(name);
    await settle();
    expect(started.sort()).toEqual(['a', 'c busy']);
    const none = new ProviderQueue({ maxCalls: 1, maxWaitingCalls: 0 });
    expect(await none.enter(NEVER, RUN)).toBeUndefined();
    expect(await none.enter(NEVER, RUN)).toMatchObject({ retryAfterMs: 1000 });
  });

  test('gives a place to the run with the fewest calls, however many calls of another one wait', async () => {
    const queue = new ProviderQueue({ maxCalls: 2 });
    const { started, enter } = callsOf(queue);
    for (const name of ['a1', 'a2', 'a3', 'a4']) void enter(name);
    void enter('b1', NEVER, OTHER);
    void enter('b2', NEVER, OTHER);
    await settle();
    queue.leave(RUN);
    await settle();
    expect(started).toEqual(['a1', 'a2', 'b1']);
    // Each run has one place now, so the order decides.
    queue.leave(RUN);
    await settle();
    expect(started).toEqual(['a1', 'a2', 'b1', 'a3']);
  });

  test('a full queue refuses the newest call of the run with the most calls, if another run has fewer', async () => {
    const queue = new ProviderQueue({ maxCalls: 1, maxWaitingCalls: 2 });
    const { started, enter } = callsOf(queue);
    for (const name of ['a1', 'a2', 'a3']) void enter(name);
    await settle();
    void enter('b1', NEVER, OTHER);
    void enter('b2', NEVER, OTHER);
    void enter('a4');
    await settle();
    expect(started).toEqual(['a1', 'b2 busy', 'a4 busy', 'a3 busy']);
    queue.leave(RUN);
    await settle();
    expect(started.slice(4)).toEqual(['a2']);
  });

  test('reports a pause once, and again when it becomes longer', async () => {
    const queue = new ProviderQueue();
    expect([5000, 5000, 5500, 7000, 0].map((ms) => queue.refused(ms))).toEqual([true, false, false, true, false]);
    await jest.advanceTimersByTimeAsync(8000);
    expect(queue.refused(2000)).toBe(true);
  });

  test('has a limit that can change', async () => {
    const limits = { maxCalls: 1 };
    const queue = new ProviderQueue(limits);
    const { started, enter } = callsOf(queue);
    for (const name of ['a', 'b', 'c']) void enter(name);
    await settle();
    limits.maxCalls = 2;
    queue.leave(RUN);
    await settle();
    expect(started).toEqual(['a', 'b', 'c']);
  });

  test('holds all calls back for the time that the provider asks for', async () => {
    const queue = new ProviderQueue();
    queue.refused(5000);
    const { started, enter } = callsOf(queue);
    void enter('a');
    void enter('b');
    await jest.advanceTimersByTimeAsync(4900);
    expect(started).toEqual([]);
    await jest.advanceTimersByTimeAsync(200);
    expect(started).toEqual(['a', 'b']);
  });

  test('refuses a call at once if the provider asks for a longer wait', async () => {
    const queue = new ProviderQueue();
    queue.refused(MAX_WAIT_MS + 5000);
    expect((await queue.enter(NEVER, RUN))?.retryAfterMs).toBeGreaterThan(MAX_WAIT_MS);
  });

  test('a call does not wait longer than the limit, and leaves when its run ends', async () => {
    const queue = new ProviderQueue({ maxCalls: 1 });
    const { started, enter } = callsOf(queue);
    const stop = new AbortController();
    void enter('a');
    void enter('b', stop.signal);
    void enter('c');
    await settle();
    stop.abort();
    await jest.advanceTimersByTimeAsync(MAX_WAIT_MS + 100);
    expect(started).toEqual(['a', 'b aborted', 'c busy']);
    queue.leave(RUN);
    expect(await queue.enter(NEVER, RUN)).toBeUndefined();
  });
});

test('reads Retry-After as seconds or as a date', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  expect(retryAfterMs('7', now)).toBe(7000);
  expect(retryAfterMs('0.5', now)).toBe(500);
  expect(retryAfterMs('Thu, 01 Jan 2026 00:00:30 GMT', now)).toBe(30_000);
  expect(retryAfterMs('Wed, 31 Dec 2025 00:00:00 GMT', now)).toBe(0);
  for (const header of [undefined, '', 'soon']) expect(retryAfterMs(header, now)).toBeUndefined();
});
