import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { TARGETS } from '../options.ts';
import { crashPointsOf, scheduleFaults } from './schedule.ts';

const options = fc.record({
  seed: fc.nat(),
  kills: fc.nat(60),
  freezes: fc.nat(10),
  targets: fc.subarray([...TARGETS], { minLength: 1 }),
});

describe('a schedule', () => {
  test('follows from its seed', () => {
    fc.assert(fc.property(options, (given) => expect(scheduleFaults(given)).toEqual(scheduleFaults(given))));
    const kills = (seed: number) => scheduleFaults({ seed, kills: 25, freezes: 0, targets: TARGETS });
    expect(kills(1)).not.toEqual(kills(2));
  });

  test('kills only the given targets, the given number of times, and each about equally often', () => {
    fc.assert(
      fc.property(options, (given) => {
        const killed = scheduleFaults(given).filter(({ kind }) => kind === 'kill');
        expect(killed).toHaveLength(given.kills);
        const times = given.targets.map((name) => killed.filter(({ target }) => target === name).length);
        expect(times.reduce((sum, count) => sum + count, 0)).toBe(given.kills);
        expect(Math.max(...times) - Math.min(...times)).toBeLessThanOrEqual(1);
      }),
    );
  });

  test('never freezes a server', () => {
    fc.assert(
      fc.property(options, (given) => {
        const frozen = scheduleFaults(given).filter(({ kind }) => kind === 'freeze');
        expect(frozen.filter(({ target }) => target === 'nats' || target === 'postgres')).toEqual([]);
      }),
    );
  });

  test('kills each replica of a service at the points of the service', () => {
    expect(crashPointsOf('gateway-2')).toEqual(['request.admitted', 'command.published']);
  });
});
