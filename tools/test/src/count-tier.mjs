import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { resultFile } from '../../repository/src/tiers.mjs';

/**
 * Counts the reports of one tier below `root`. A run can fail although no report names a failure: a timeout, a killed
 * process, an error of Nx. It counts as one failure, because tests that did not run are in no report.
 */
export function countTier({ target, projects, error }, totals, root) {
  const before = totals.failed;
  for (const { name, root: project } of projects) count(name, join(root, resultFile(target, project)), error, totals);
  if (error && totals.failed === before) totals.fail(`${target}: the run failed`, error.message);
}

function count(name, file, error, totals) {
  try {
    totals.addReport(name, JSON.parse(readFileSync(file, 'utf8')));
  } catch (cause) {
    totals.fail(`${name}: no report`, error?.message ?? cause.message);
  }
}
