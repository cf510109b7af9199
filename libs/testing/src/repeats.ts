/**
 * How often the long tests repeat their work, by the environment of the test run:
 * `REINS_TEST_SEEDS` (seeds of the simulation, default 1,000), `REINS_TEST_KILLS` (kills of the chaos test, default 6) and
 * `REINS_TEST_DAMAGES` (damaged run directories that are repaired, default 1,000).
 * Throws an `Error` that names the variable when a value is not a positive whole number.
 */
export const REPEATS = {
  seeds: wholeNumber('REINS_TEST_SEEDS', 1_000),
  kills: wholeNumber('REINS_TEST_KILLS', 6),
  damages: wholeNumber('REINS_TEST_DAMAGES', 1_000),
} as const;

function wholeNumber(name: string, byDefault: number): number {
  const text = process.env[name];
  if (text === undefined || text === '') return byDefault;
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`${name} must be a positive whole number (got "${text}")`);
  return Number(text);
}
