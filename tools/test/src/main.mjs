import { rmSync } from 'node:fs';
import { TIERS } from '../../repository/src/tiers.mjs';
import { ROOT, setUp } from '../../setup/setup.mjs';
import { runChecks } from './checks.mjs';
import { runTier } from './tier.mjs';
import { printFailures, Totals } from './totals.mjs';

/**
 * `npm test [-- <tier> …]`: installs what is missing, builds, runs the checks and the tiers (all, or those named), and ends with
 * the line `N passed, N failed`. Exit code 0 only when nothing failed.
 */
const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;
const log = (line) => console.log(line);
const tiers = process.argv.length > 2 ? TIERS.filter(({ target }) => process.argv.includes(target)) : TIERS;
const totals = new Totals();

const setUpMs = await timed(installed);
const testMs = await timed(async () => {
  if (totals.failed > 0) return;
  rmSync('.nx/results', { recursive: true, force: true });
  await runChecks(totals, log);
  for (const tier of tiers) await runTier(tier, totals, log);
});
printFailures(totals, log);
log(`\nset-up and downloads: ${seconds(setUpMs)}; build, checks and tests: ${seconds(testMs)}`);
log(`${totals.passed} passed, ${totals.failed} failed`);
process.exitCode = totals.failed === 0 ? 0 : 1;

async function installed() {
  process.chdir(ROOT);
  try {
    await setUp({ log });
  } catch (error) {
    totals.fail('set-up', error.message);
  }
}

async function timed(work) {
  const since = performance.now();
  await work();
  return performance.now() - since;
}
