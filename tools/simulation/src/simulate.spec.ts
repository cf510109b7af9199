import { describe, expect, test } from '@jest/globals';
import { MUTANTS, simulate } from './index.ts';

/** More of them run in `simulation.e2e.spec.ts`. */
const SEEDS = 50;
/** A planted bug is found within so many seeds. */
const FOUND_WITHIN = 300;

describe('the control bus over a simulated world', () => {
  test('keeps every promise', async () => {
    const broken: unknown[] = [];
    for (let seed = 0; seed < SEEDS; seed += 1) {
      const { violations } = await simulate({ seed });
      if (violations.length > 0) broken.push({ seed, violations });
    }
    expect(broken).toEqual([]);
  });

  test('does the same for the same seed', async () => {
    const first = await simulate({ seed: 7, trace: true });
    await simulate({ seed: 8 });
    const again = await simulate({ seed: 7, trace: true });
    expect(again).toEqual(first);
    expect(first.trace.length).toBeGreaterThan(100);
  });

  test.each(Object.entries(MUTANTS))(
    'finds the bug of one that %s',
    async (_, mutation) => {
      for (let seed = 0; seed < FOUND_WITHIN; seed += 1) {
        const { violations } = await simulate({ seed, mutation });
        if (violations.length > 0) return;
      }
      throw new Error(`nothing was found within ${FOUND_WITHIN} seeds`);
    },
    60_000,
  );
});
