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

  test('does not expire after it was stopped', () => {
    const watchdog = watch();
    watchdog.recordActivity();
    watchdog.stop();
    jest.advanceTimersByTime(5000);
    expect(codes).toEqual([]);
  });
});
