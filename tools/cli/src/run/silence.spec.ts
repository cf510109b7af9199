import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { Silence } from './silence.ts';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

test('silence is reported after two seconds, then at growing intervals, until something happens', () => {
  let reports = 0;
  const silence = new Silence(() => {
    reports += 1;
  });
  const after = (ms: number) => {
    jest.advanceTimersByTime(ms);
    return reports;
  };
  expect([after(1_999), after(1), after(3_999), after(1)]).toEqual([0, 1, 1, 2]);
  silence.restart();
  expect([after(1_999), after(1)]).toEqual([2, 3]);
  silence.end();
  expect(after(600_000)).toBe(3);
});
