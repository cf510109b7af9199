import { describe, expect, test } from '@jest/globals';
import { MUTANTS, POWER_MUTANTS, simulate } from './index.ts';

/** `simulation.e2e.spec.ts` runs more seeds. */
const SEEDS = 50;
/** Maximum number of seeds for finding a planted bug. */
const FOUND_WITHIN = 3_000;

describe('the simulated control bus', () => {
  test('has no violations', async () => {
    const broken: unknown[] = [];
    for (let seed = 0; seed < SEEDS; seed += 1) {
      const { violations } = await simulate({ seed });
      if (violations.length > 0) broken.push({ seed, violations });
    }
    expect(broken).toEqual([]);
  });

  test('gives the same result for the same seed', async () => {
    const first = await simulate({ seed: 7, trace: true });
    await simulate({ seed: 8 });
    const again = await simulate({ seed: 7, trace: true });
    expect(again).toEqual(first);
    expect(first.trace.length).toBeGreaterThan(100);
  });

  test.each(Object.entries(MUTANTS))(
    'finds the planted bug: %s',
    async (_, mutation) => {
      for (let seed = 0; seed < FOUND_WITHIN; seed += 1) {
        const { violations } = await simulate({ seed, mutation });
        if (violations.length > 0) return;
      }
      throw new Error(`no violation within ${FOUND_WITHIN} seeds`);
    },
    600_000,
  );

  test.each(Object.entries(POWER_MUTANTS))(
    'finds the planted bug, in power failures: %s',
    async (_, mutation) => {
      for (let seed = 0; seed < FOUND_WITHIN; seed += 1) {
        const { violations } = await simulate({ seed, losesPower: true, mutation });
        if (violations.length > 0) return;
      }
      throw new Error(`no violation within ${FOUND_WITHIN} seeds`);
    },
    600_000,
  );
});
