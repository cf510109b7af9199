import { expect, test } from '@jest/globals';
import { FairTurns } from './fair-turns.ts';

test('owners take turns, however many tasks each has', async () => {
  const turns = new FairTurns();
  const done: string[] = [];
  const [a, b, c] = [{}, {}, {}];
  const add = (owner: object, name: string) => turns.run(owner, async () => void done.push(name));
  await Promise.all([
    ...['a1', 'a2', 'a3', 'a4'].map((name) => add(a, name)),
    ...['b1', 'b2'].map((name) => add(b, name)),
    add(c, 'c1'),
  ]);
  expect(done).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
});

test('a task that fails does not stop the others', async () => {
  const turns = new FairTurns();
  const failed = turns.run({}, async () => {
    throw new Error('no');
  });
  const next = turns.run({}, async () => 'next');
  await expect(failed).rejects.toThrow('no');
  expect(await next).toBe('next');
});
