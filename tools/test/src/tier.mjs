import { join } from 'node:path';
import { hasTier, workspacePackages } from '../../repository/src/packages.mjs';
import { run } from '../../setup/commands.mjs';
import { ROOT } from '../../setup/setup.mjs';
import { countTier } from './count-tier.mjs';

/**
 * Runs one tier in every package that has it, through Nx, and counts its reports, cached ones included. A tier that still
 * runs after `timeoutMs` is stopped: its tests hang.
 */
export async function runTier(tier, totals, log, timeoutMs) {
  const since = performance.now();
  const { target } = tier;
  const projects = projectsWith(tier);
  if (projects.length === 0) return;
  log(`\n${target}: ${projects.map(({ name }) => name).join(', ')}`);
  const outcome = await run('nx', ['run-many', '-t', target, '--outputStyle=static'], {
    cwd: ROOT,
    quiet: true,
    timeoutMs,
  }).then(
    () => ({}),
    (error) => ({ error }),
  );
  const before = { passed: totals.passed, failed: totals.failed };
  countTier({ target, projects, error: outcome.error }, totals, ROOT);
  log(
    `${target}: ${totals.passed - before.passed} passed, ${totals.failed - before.failed} failed (${seconds(performance.now() - since)})`,
  );
}

/** A duration in milliseconds, as the runner prints it. */
export const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;

function projectsWith(tier) {
  const packages = workspacePackages().filter(({ root }) => hasTier(join(ROOT, root), tier));
  return packages.map(({ manifest, root }) => ({ name: manifest.name, root }));
}
