import { expect, it } from '@jest/globals';
import { cpuGrowth } from './cpu-growth.ts';

function spin(rounds: number): void {
  let text = '';
  for (let i = 0; i < rounds; i += 1) text = String(Number(text.length) + i);
  expect(text).not.toBe('');
}

it('is about the ratio of the work, whatever the machine', () => {
  const growth = cpuGrowth(
    () => spin(400_000),
    () => spin(4_000_000),
  );
  expect(growth).toBeGreaterThan(3);
  expect(growth).toBeLessThan(40);
});
