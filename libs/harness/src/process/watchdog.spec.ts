import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Watchdog } from './watchdog.ts';

const DEADLINES = { totalMs: 1000, startupMs: 100, idleMs: 200, noProgressMs: 400 };

describe('the deadlines of an execution', () => {
  const codes: string[] = [];
  beforeEach(() => {
    jest.useFakeTimers();
    codes.length = 0;
  });
  afterEach(() => {
    jest.useRealTimers();
  });
  const watch = () => new Watchdog(DEADLINES, ({ code }) => codes.push(code));

  test('no sign of life', () => {
    watch();
    jest.advanceTimersByTime(100);
    expect(codes).toEqual(['harness_timeout_startup']);
  });

  test('silence after a sign of life', () => {
    watch().recordActivity();
    jest.advanceTimersByTime(200);
    expect(codes).toEqual(['harness_timeout_idle']);
  });

  test('noise without progress', () => {
    const dog = watch();
    for (let at = 0; at < 400; at += 50) {
      dog.recordActivity();
      jest.advanceTimersByTime(50);
    }
    expect(codes).toEqual(['harness_no_progress']);
  });

  test('progress does not move the end of it all', () => {
    const dog = watch();
    for (let at = 0; at < 1200; at += 50) {
      dog.recordProgress();
      jest.advanceTimersByTime(50);
    }
    expect(codes).toEqual(['harness_timeout_total']);
  });

  test('nothing is told after it was stopped', () => {
    const dog = watch();
    dog.recordActivity();
    dog.stop();
    jest.advanceTimersByTime(5000);
    expect(codes).toEqual([]);
  });
});
