import { expect, test } from '@jest/globals';
import { Memo } from './memo.ts';

test('loads a key once, also for concurrent calls', async () => {
  const memo = new Memo<number>(2);
  let loads = 0;
  const load = async () => ++loads;
  expect(await Promise.all([memo.get('a', load), memo.get('a', load)])).toEqual([1, 1]);
  expect(await memo.get('a', load)).toBe(1);
});

test('evicts the least recently used key', async () => {
  const memo = new Memo<string>(2);
  const loaded: string[] = [];
  const get = (key: string) =>
    memo.get(key, async () => {
      loaded.push(key);
      return key;
    });
  for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) await get(key);
  expect(loaded).toEqual(['a', 'b', 'c', 'b']);
});

test('does not cache a failure', async () => {
  const memo = new Memo<string>(2);
  await expect(memo.get('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  expect(await memo.get('a', async () => 'there')).toBe('there');
});
