import { expect, test } from '@jest/globals';
import { linesOf } from './lines.ts';

test('formats one line per number, labelled with its path', () => {
  const result = {
    publish: { ratio: 0.98321, measured: [{ name: 'ours', perSecond: 123_456.7, rounds: [1, 2, 3] }] },
    checks: { flat: true },
  };
  expect(linesOf(result)).toEqual([
    'publish · ratio                        0.983',
    'publish · measured · ours · perSecond  123,457',
    'checks · flat                          yes',
  ]);
  expect(linesOf([{ name: 'replay', medianMs: 12.5 }])).toEqual(['replay · medianMs  12.5']);
});
