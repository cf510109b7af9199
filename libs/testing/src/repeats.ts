/**
 * How often the long tests repeat their work, from the environment of the test run: `REINS_TEST_SEEDS` (seeds of the
 * simulation, default 1,000), `REINS_TEST_KILLS` (kills of the chaos test, default 6) and `REINS_TEST_DAMAGES`
 * (corrupted run directories that are repaired, default 1,000).
 * Throws an `Error` that names the variable when a value is not a positive integer.
 */
export const REPEATS = {
  seeds: positiveInteger('REINS_TEST_SEEDS', 1_000),
  kills: positiveInteger('REINS_TEST_KILLS', 6),
  damages: positiveInteger('REINS_TEST_DAMAGES', 1_000),
} as const;

function positiveInteger(name: string, defaultValue: number): number {
  const text = process.env[name];
  if (text === undefined || text === '') return defaultValue;
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`${name} must be a positive integer (got "${text}")`);
  return Number(text);
}
