import { stripVTControlCharacters } from 'node:util';

/** The number of passed tests, and the failures, of all tiers. */
export class Totals {
  passed = 0;
  failures = [];

  get failed() {
    return this.failures.length;
  }

  fail(name, message) {
    this.failures.push({ name, message });
  }

  /** Adds a Jest report. A file that could not be loaded counts as one failure. */
  addReport(project, report) {
    this.passed += report.numPassedTests;
    for (const file of report.testResults) {
      const failed = file.assertionResults.filter(({ status }) => status === 'failed');
      for (const test of failed) this.fail(`${project}: ${test.fullName}`, test.failureMessages.join('\n'));
      if (failed.length === 0 && file.status === 'failed') this.fail(`${project}: ${file.name}`, file.message);
      // A skipped test checks nothing, so it counts as a failure.
      for (const test of file.assertionResults.filter(({ status }) => NOT_RUN.has(status))) {
        this.fail(`${project}: ${test.fullName}`, `the test was not run (${test.status})`);
      }
    }
  }
}

const NOT_RUN = new Set(['pending', 'skipped', 'todo', 'disabled']);
const LONGEST_MESSAGE = 3000;

export function printFailures({ failures }, log) {
  if (failures.length > 0) log('\nFailed:');
  for (const { name, message } of failures)
    log(`\n● ${name}\n${stripVTControlCharacters(message).slice(0, LONGEST_MESSAGE)}`);
}
