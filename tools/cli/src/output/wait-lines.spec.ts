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
    .filter((line) => line.startsWith('waiting'));

test('waits that end by themselves come first', () => {
  expect(linesOf(...waits('task', 1), ...waits('child', 1))).toEqual([
    'waiting for child (child0): child 0',
    'waiting for task (task0): task 0',
  ]);
});

test('of many waits, those with commands are shown', () => {
  expect(linesOf(...waits('task', 10))).toHaveLength(10);
  const many = linesOf(...waits('child', 20), ...waits('task', 8));
  expect(many.map((line) => line.split(' ')[2])).toEqual(['child', ...Array(8).fill('task'), '19']);
  expect(many.at(-1)).toBe('waiting for 19 more; show them with `reins requests show r1 --json`');
});
