import { join } from 'node:path';
import { hasTier, workspacePackages } from '../../repository/src/packages.mjs';
import { run } from '../../setup/commands.mjs';
import { ROOT } from '../../setup/setup.mjs';
import { countTier } from './count-tier.mjs';

/** A tier that takes longer hangs: about ten times what the longest one takes on two idle cores. */
const LONGEST_MS = 90 * 60_000;

/** Runs one tier in every package that has it, through Nx, and counts its reports, cached ones included. */
export async function runTier(tier, totals, log) {
  const { target } = tier;
  const projects = projectsWith(tier);
  if (projects.length === 0) return;
  log(`\n${target}: ${projects.map(({ name }) => name).join(', ')}`);
  const outcome = await run('nx', ['run-many', '-t', target, '--outputStyle=static'], {
    cwd: ROOT,
    quiet: true,
    timeoutMs: LONGEST_MS,
  }).then(
    () => ({}),
    (error) => ({ error }),
  );
  const before = { passed: totals.passed, failed: totals.failed };
  countTier({ target, projects, error: outcome.error }, totals, ROOT);
  log(`${target}: ${totals.passed - before.passed} passed, ${totals.failed - before.failed} failed`);
}

function projectsWith(tier) {
  const packages = workspacePackages().filter(({ root }) => hasTier(join(ROOT, root), tier));
  return packages.map(({ manifest, root }) => ({ name: manifest.name, root }));
}
