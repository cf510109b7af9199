import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { resultFile } from '../../repository/src/tiers.mjs';

/**
 * Counts the reports of one tier below `root`. A run that failed although no report names a failure (it took too long, a
 * process was killed, Nx itself broke) is one failure: what it did not come to is in no report.
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
    totals.fail(`${name}: there is no report`, error?.message ?? cause.message);
  }
}
