import '../../setup/node-version.mjs';
import { rmSync } from 'node:fs';
import { TIERS } from '../../repository/src/tiers.mjs';
import { ROOT, setUp } from '../../setup/setup.mjs';
import { runChecks } from './checks.mjs';
import { installRuntimes } from './runtimes.mjs';
import { runTier, seconds } from './tier.mjs';
import { printFailures, Totals } from './totals.mjs';

/**
 * `npm test [-- <tier> …]`: installs what is missing, builds, runs the checks and the named tiers. Default: all tiers that
 * are not on request. The last line is `N passed, N failed`. The exit code is 0 only if nothing failed.
 */
const log = (line) => console.log(line);
const tiers = TIERS.filter(({ target, onRequest }) =>
  process.argv.length > 2 ? process.argv.includes(target) : !onRequest,
);
const totals = new Totals();
/** Ten times what all tiers take on two idle cores. A caller that cannot wait that long sets a lower limit. */
const limitMs = Number(process.env.REINS_TEST_MINUTES ?? 150) * 60_000;

const setUpMs = await timed('setup', async () => {
  process.chdir(ROOT);
  await setUp({ log });
});
const testMs = await timed('tests', async () => {
  if (totals.failed > 0) return;
  rmSync('.nx/results', { recursive: true, force: true });
  await runChecks(totals, log);
  if (tiers.some(({ target }) => target !== 'test')) await installRuntimes(log);
  for (const tier of tiers) await runTier(tier, totals, log, limitMs - performance.now());
});
printFailures(totals, log);
log(`\nsetup and downloads: ${seconds(setUpMs)}; build, checks and tests: ${seconds(testMs)}`);
log(`${totals.passed} passed, ${totals.failed} failed`);
process.exitCode = totals.failed === 0 ? 0 : 1;

/** An error of the runner itself counts as a failure, so that the last line is always printed. */
async function timed(name, work) {
  const since = performance.now();
  await work().catch((error) => totals.fail(name, error.message));
  return performance.now() - since;
}
