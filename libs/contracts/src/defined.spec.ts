import { expect, test } from '@jest/globals';
import { defined } from './defined.ts';

test('leaves out the fields that are undefined, and no others', () => {
  const unknown: string | undefined = undefined;
  expect(Object.entries(defined({ a: 0, b: '', c: null, d: false, e: unknown }))).toEqual([
    ['a', 0],
    ['b', ''],
    ['c', null],
    ['d', false],
  ]);
});
