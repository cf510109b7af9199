import { expect, test } from '@jest/globals';
import { parseArguments } from './options.ts';

test('parses the range of seeds', () => {
  expect(parseArguments(['--seeds', '10000', '--from', '5', '--threads', '2'])).toEqual({
    from: 5,
    seeds: 10_000,
    threads: 2,
    losesPower: undefined,
    trace: false,
  });
  expect(parseArguments(['--power'])).toMatchObject({ losesPower: true });
  expect(parseArguments(['--seed', '4711', '--trace'])).toMatchObject({ from: 4711, seeds: 1, trace: true });
});

test.each([['--seeds', 'many'], ['--trace'], ['--threads', '0'], ['--sead', '1']])(
  'rejects wrong usage: %s %s',
  (...args) => {
    expect(() => parseArguments(args.filter(Boolean))).toThrow(expect.objectContaining({ code: 'wrong_usage' }));
  },
);
