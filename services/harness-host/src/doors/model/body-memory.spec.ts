import { expect, test } from '@jest/globals';
import { BodyMemory } from './body-memory.ts';

const newMemory = () => new BodyMemory({ run: 10, guaranteed: 2, host: 25 });

test('limits the bytes of a run, and of all runs', () => {
  const memory = newMemory();
  const runs = [{ bytes: 0 }, { bytes: 0 }, { bytes: 0 }];
  expect(runs.map((run) => memory.add(run, 10))).toEqual([true, true, false]);
  expect(runs.map((run) => memory.isTooMuch(run))).toEqual([false, false, false]);
  const [first = { bytes: 0 }] = runs;
  expect(memory.add(first, 1)).toBe(false);
  expect(memory.isTooMuch(first)).toBe(true);
});

test('has room for short bodies of a run while others fill the memory of the host', () => {
  const memory = newMemory();
  const others = [{ bytes: 0 }, { bytes: 0 }, { bytes: 0 }];
  for (const other of others) memory.add(other, 10);
  const run = { bytes: 0 };
  expect([memory.add(run, 2), memory.add(run, 1)]).toEqual([true, false]);
});

test('has room again when bodies are no longer in memory', () => {
  const memory = newMemory();
  const runs = [{ bytes: 0 }, { bytes: 0 }, { bytes: 0 }];
  for (const run of runs) memory.add(run, 10);
  for (const run of runs) memory.remove(run, 10);
  expect(runs.map((run) => memory.add(run, 8))).toEqual([true, true, true]);
});
