import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runningSpecs } from '../../repository/src/running-specs.mjs';
import { resultFile } from '../../repository/src/tiers.mjs';

/**
 * Counts the reports of one tier below `root`. A run can fail although no report names a failure: a timeout, a killed
 * process, an error of Nx. It counts as one failure, because tests that did not run are in no report.
 */
export function countTier({ target, projects, error }, totals, root) {
  const before = totals.failed;
  for (const { name, root: project } of projects) {
    const missing = error && unfinished(error, runningSpecs(target, project, root));
    count(name, join(root, resultFile(target, project)), missing, totals);
  }
  if (error && totals.failed === before) totals.fail(`${target}: the run failed`, error.message);
}

/** A package that was stopped has no report. What it was doing is then all that is known. */
const unfinished = ({ message }, specs) =>
  specs.length === 0 ? message : `unfinished: ${specs.join(', ')}\n${message}`;

function count(name, file, missing, totals) {
  try {
    totals.addReport(name, JSON.parse(readFileSync(file, 'utf8')));
  } catch (cause) {
    totals.fail(`${name}: no report`, missing ?? cause.message);
  }
}
