import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Watchdog } from './watchdog.ts';

const DEADLINES = { totalMs: 1000, startupMs: 100, idleMs: 200, noProgressMs: 400 };

describe('Watchdog', () => {
  const codes: string[] = [];
  beforeEach(() => {
    jest.useFakeTimers();
    codes.length = 0;
  });
  afterEach(() => {
    jest.useRealTimers();
  });
  const watch = () => new Watchdog(DEADLINES, ({ code }) => codes.push(code));

  test('expires at startup without activity', () => {
    watch();
    jest.advanceTimersByTime(100);
    expect(codes).toEqual(['harness_timeout_startup']);
  });

  test('expires when activity stops', () => {
    watch().recordActivity();
    jest.advanceTimersByTime(200);
    expect(codes).toEqual(['harness_timeout_idle']);
  });

  test('expires on activity without progress', () => {
    const watchdog = watch();
    for (let at = 0; at < 400; at += 50) {
      watchdog.recordActivity();
      jest.advanceTimersByTime(50);
    }
    expect(codes).toEqual(['harness_no_progress']);
  });

  test('does not extend the total deadline on progress', () => {
    const watchdog = watch();
    for (let at = 0; at < 1200; at += 50) {
      watchdog.recordProgress();
      jest.advanceTimersByTime(50);
    }
    expect(codes).toEqual(['harness_timeout_total']);
  });

  test('does not expire while a tool works silently, and does again when it has ended', () => {
    const watchdog = watch();
    for (const callId of ['a', 'b']) watchdog.observe({ phase: 'agent.tool.start', callId });
    jest.advanceTimersByTime(500);
    watchdog.recordActivity();
    watchdog.observe({ phase: 'agent.tool.result', callId: 'a' });
    jest.advanceTimersByTime(250);
    expect(codes).toEqual([]);
    watchdog.observe({ phase: 'agent.tool.result', callId: 'b' });
    jest.advanceTimersByTime(200);
    expect(codes).toEqual(['harness_timeout_idle']);
  });

  test('limits each tool call on its own', () => {
    const watchdog = new Watchdog({ ...DEADLINES, toolMs: 300 }, ({ code, message }) => codes.push(code, message));
    watchdog.observe({ phase: 'agent.tool.start', callId: 'a' });
    jest.advanceTimersByTime(250);
    watchdog.observe({ phase: 'agent.tool.start', callId: 'b' });
    watchdog.observe({ phase: 'agent.tool.result', callId: 'a' });
    jest.advanceTimersByTime(299);
    expect(codes).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(codes).toEqual(['harness_no_progress', expect.stringContaining('tool timeout (300 ms)')]);
  });

  test('does not expire after it was stopped', () => {
    const watchdog = watch();
    watchdog.recordActivity();
    watchdog.stop();
    jest.advanceTimersByTime(5000);
    expect(codes).toEqual([]);
  });
});
