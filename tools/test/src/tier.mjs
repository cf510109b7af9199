import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasTier, workspacePackages } from '../../repository/src/packages.mjs';
import { resultFile } from '../../repository/src/tiers.mjs';
import { run } from '../../setup/commands.mjs';
import { ROOT } from '../../setup/setup.mjs';

/** A tier that takes longer hangs. */
const LONGEST_MS = 20 * 60_000;

/** Runs one tier in every package that has it, through Nx, and counts what the reports say: cached ones as well. */
export async function runTier(tier, totals, log) {
  const { target } = tier;
  const projects = projectsWith(tier);
  if (projects.length === 0) return;
  log(`\n${target}: ${projects.map(({ name }) => name).join(', ')}`);
  const outcome = await run('nx', ['run-many', '-t', target, '--outputStyle=static'], {
    cwd: ROOT,
    quiet: true,
    withinMs: LONGEST_MS,
  }).then(
    () => ({}),
    (error) => ({ error }),
  );
  const before = { passed: totals.passed, failed: totals.failed };
  for (const { name, root } of projects) count(name, resultFile(target, root), outcome.error, totals);
  log(`${target}: ${totals.passed - before.passed} passed, ${totals.failed - before.failed} failed`);
}

function count(name, file, error, totals) {
  try {
    totals.addReport(name, JSON.parse(readFileSync(join(ROOT, file), 'utf8')));
  } catch (cause) {
    totals.fail(`${name}: there is no report`, error?.message ?? cause.message);
  }
}

function projectsWith(tier) {
  const packages = workspacePackages().filter(({ root }) => hasTier(join(ROOT, root), tier));
  return packages.map(({ manifest, root }) => ({ name: manifest.name, root }));
}
