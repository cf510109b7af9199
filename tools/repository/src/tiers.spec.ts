import { describe, expect, it } from '@jest/globals';
import { TIERS } from './tiers.mjs';

describe('the tiers of tests', () => {
  it.each([
    ['src/a.spec.ts', 'test'],
    ['src/a.int.spec.ts', 'test-int'],
    ['src/a.e2e.spec.ts', 'test-e2e'],
    ['src/a.full.spec.ts', 'test-full'],
    ['src/print.spec.ts', 'test'],
    ['src/a.spec.ts.snap', undefined],
    ['src/spec.ts', undefined],
  ])('%s is in %s alone', (file, target) => {
    const tiers = TIERS.filter((tier) => tier.files.test(file)).map((tier) => tier.target);
    expect(tiers).toEqual(target ? [target] : []);
  });
});
