import { expect, test } from '@jest/globals';
import { KeyedQueue } from './keyed-queue.ts';

test('runs the tasks of a key in order, also after a failure, and those of other keys concurrently', async () => {
  const queue = new KeyedQueue();
  const done: string[] = [];
  const gate = Promise.withResolvers<void>();
  const failed = queue.add('a', async () => {
    await gate.promise;
    done.push('a1');
    throw new Error('a1 failed');
  });
  const next = queue.add('a', async () => void done.push('a2'));
  await queue.add('b', async () => void done.push('b1'));
  expect(done).toEqual(['b1']);
  expect(queue.has('a')).toBe(true);
  gate.resolve();
  await expect(failed).rejects.toThrow('a1 failed');
  await next;
  await queue.whenDone();
  await new Promise(setImmediate);
  expect(done).toEqual(['b1', 'a1', 'a2']);
  expect(queue.has('a')).toBe(false);
});
