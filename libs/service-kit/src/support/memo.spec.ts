import { expect, test } from '@jest/globals';
import { Memo } from './memo.ts';

test('a key is loaded once, also by those who ask at the same time', async () => {
  const memo = new Memo<number>(2);
  let loads = 0;
  const load = async () => ++loads;
  expect(await Promise.all([memo.get('a', load), memo.get('a', load)])).toEqual([1, 1]);
  expect(await memo.get('a', load)).toBe(1);
});

test('what was not asked for the longest is forgotten', async () => {
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

test('a failure is not remembered', async () => {
  const memo = new Memo<string>(2);
  await expect(memo.get('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  expect(await memo.get('a', async () => 'there')).toBe('there');
});
