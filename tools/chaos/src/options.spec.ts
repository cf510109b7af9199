import { describe, expect, test } from '@jest/globals';
import { commandOf, DEFAULT_OPTIONS, parseArguments } from './options.ts';

describe('the command line', () => {
  test('uses the defaults without options', () => {
    expect(parseArguments([])).toEqual({ ...DEFAULT_OPTIONS, json: false });
  });

  test.each([
    [['--kills', '7', '--seed', '9', '--freezes', '2', '--targets', 'nats,gateway', '--replicas', '2', '--rate', '5']],
    [['--kills', '25', '--seed', '1']],
    [
      [
        '--kills',
        '25',
        '--seed',
        '1',
        '--modes',
        'slow-preparation,misbehaving-client,recreated-bucket,set-back,clock-skew',
      ],
    ],
    [['--kills', '25', '--seed', '1', '--modes', 'all']],
  ])('is reproduced by %j', (args) => {
    const command = commandOf(parseArguments(args));
    expect(command).toMatch(/^npm run chaos -- /);
    expect(parseArguments(command.split(' ').slice(4))).toEqual(parseArguments(args));
  });

  test('has one freeze for 25 kills by default', () => {
    expect(parseArguments(['--kills', '500']).freezes).toBe(20);
    expect(commandOf(parseArguments(['--kills', '500', '--freezes', '0']))).toContain('--freezes 0');
  });

  test.each([
    [['--kills', '-1'], /argument|integer/],
    [['--kills', 'many'], /--kills must be an integer/],
    [['--replicas', '0'], /--replicas must be an integer from 1/],
    [['--targets', 'nats,unknown'], /unknown target: unknown/],
    [['--modes', 'rain'], /unknown mode: rain; use slow-preparation/],
    [['--what'], /--what/],
    [['extra'], /extra/],
  ])('rejects %j', (args, message) => {
    expect(() => parseArguments(args)).toThrow(
      expect.objectContaining({ code: 'wrong_usage', message: expect.stringMatching(message) }),
    );
  });
});
