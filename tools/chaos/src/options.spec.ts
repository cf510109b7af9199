import { describe, expect, test } from '@jest/globals';
import { commandOf, DEFAULT_OPTIONS, parseArguments } from './options.ts';

describe('the command line', () => {
  test('without anything means the defaults', () => {
    expect(parseArguments([])).toEqual({ ...DEFAULT_OPTIONS, json: false });
  });

  test.each([
    [['--kills', '7', '--seed', '9', '--freezes', '2', '--targets', 'nats,gateway', '--replicas', '2', '--rate', '5']],
    [['--kills', '25', '--seed', '1']],
  ])('is told again by %j', (args) => {
    const command = commandOf(parseArguments(args));
    expect(command).toMatch(/^npm run chaos -- /);
    expect(parseArguments(command.split(' ').slice(4))).toEqual(parseArguments(args));
  });

  test('has one freeze for 25 kills, unless told', () => {
    expect(parseArguments(['--kills', '500']).freezes).toBe(20);
    expect(commandOf(parseArguments(['--kills', '500', '--freezes', '0']))).toContain('--freezes 0');
  });

  test.each([
    [['--kills', '-1'], /argument|whole number/],
    [['--kills', 'many'], /--kills is a whole number/],
    [['--replicas', '0'], /--replicas is a whole number from 1/],
    [['--targets', 'nats,nobody'], /nobody cannot be a target/],
    [['--what'], /--what/],
    [['extra'], /extra/],
  ])('%j is wrong use', (args, message) => {
    expect(() => parseArguments(args)).toThrow(
      expect.objectContaining({ code: 'wrong_usage', message: expect.stringMatching(message) }),
    );
  });
});
