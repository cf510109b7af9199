import { expect, test } from '@jest/globals';
import { waitsText } from './wait-lines.ts';

const waits = (reason: string, count: number) =>
  Array.from({ length: count }, (_, n) => ({
    requestId: 'r1',
    reason,
    effectId: `${reason}${n}`,
    message: `${reason} ${n}`,
  }));
const linesOf = (...given: ReturnType<typeof waits>) =>
  waitsText('r1', given)
    .split('\n')
    .filter((line) => !line.startsWith(' '));

test('waits that end by themselves come first', () => {
  expect(linesOf(...waits('task', 1), ...waits('child', 1))).toEqual([
    'waiting for child (child0): child 0',
    'waiting for task (task0): task 0',
  ]);
});

test('of many waits, those with commands are shown', () => {
  expect(linesOf(...waits('task', 10))).toHaveLength(10);
  const many = linesOf(...waits('child', 20), ...waits('task', 8));
  expect(many.map((line) => line.split(' ')[2])).toEqual(['child', ...Array(8).fill('task'), 'more;']);
  expect(many.at(-1)).toBe('and 19 more; show them with `reins requests show r1 --json`');
});

test('the waits that a response leaves out count', () => {
  expect(waitsText('r1', waits('task', 10), 27).split('\n').at(-1)).toMatch(/^and 17 more; /);
});

test('a signal and a child run have their labels', () => {
  const go = { requestId: 'r1', reason: 'signal', effectId: 'e1', signal: 'go', message: 'signal go' };
  const child = { requestId: 'r1', reason: 'child', effectId: 'e2', message: 'child run run_1' };
  expect(linesOf(go, child)).toEqual(['waiting for child run run_1 (e2)', 'waiting for signal go (e1)']);
  const labelled = [
    { ...go, message: 'signal go: green light', label: 'green light' },
    { ...child, message: 'child run run_1: count the docs', label: 'count the docs' },
  ];
  expect(linesOf(...labelled)).toEqual([
    'waiting for child run run_1 (e2): count the docs',
    'waiting for signal go (e1): green light',
  ]);
});

test('a timer has its label', () => {
  const timer = { requestId: 'r1', reason: 'timer', effectId: 'e1', expiresAt: 'T' };
  expect(waitsText('r1', [{ ...timer, message: 'for objections' }])).toBe(
    'waiting for timer (e1) until T: for objections',
  );
  expect(waitsText('r1', [{ ...timer, message: 'the time T' }])).toBe('waiting for timer (e1) until T');
});
