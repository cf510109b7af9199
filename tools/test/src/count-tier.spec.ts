import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import RunningSpecsReporter, { RUNNING_SPECS, runningFile } from '../../repository/src/running-specs.mjs';
import { resultFile } from '../../repository/src/tiers.mjs';
import { countTier } from './count-tier.mjs';
import { Totals } from './totals.mjs';

const root = mkdtempSync(join(tmpdir(), 'reins-tier-'));
afterAll(() => rmSync(root, { recursive: true }));

const target = 'test';
const projects = [{ name: '@reins/x', root: 'libs/x' }];
const file = join(root, resultFile(target, 'libs/x'));
const error = new Error('nx run-many ended with 143');

function report(status: 'passed' | 'failed'): void {
  const assertionResults = [{ fullName: 'x works', status, failureMessages: [] }];
  const passed = status === 'passed' ? 1 : 0;
  const testResults = [{ name: 'x.spec.ts', status, message: '', assertionResults }];
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ numPassedTests: passed, testResults }));
}

const counted = (outcome: { error?: Error }): { passed: number; failures: unknown } => {
  const totals = new Totals();
  countTier({ target, projects, ...outcome }, totals, root);
  return { passed: totals.passed, failures: totals.failures };
};

describe('counting a tier', () => {
  beforeEach(() => rmSync(file, { force: true }));

  it('adds up the reports', () => {
    report('passed');
    expect(counted({})).toEqual({ passed: 1, failures: [] });
  });

  it('counts a failed run, although every report passed', () => {
    report('passed');
    expect(counted({ error })).toEqual({
      passed: 1,
      failures: [{ name: 'test: the run failed', message: error.message }],
    });
  });

  it('does not count the run in addition to the failed test', () => {
    report('failed');
    expect(counted({ error }).failures).toEqual([{ name: '@reins/x: x works', message: '' }]);
  });

  it('counts a missing report once, with the reason of the run', () => {
    expect(counted({ error }).failures).toEqual([{ name: '@reins/x: no report', message: error.message }]);
  });

  it('names the spec files that were running when a package was stopped', () => {
    const running = join(root, runningFile(target, 'libs/x'));
    process.env[RUNNING_SPECS] = running;
    const reporter = new RunningSpecsReporter({ rootDir: '/repository/libs/x' });
    const started = ['/repository/libs/x/src/a.spec.ts', '/repository/libs/x/src/b.spec.ts'];
    for (const path of started) reporter.onTestFileStart({ path });
    reporter.onTestFileResult({ path: started[0] });
    expect(counted({ error }).failures).toEqual([
      { name: '@reins/x: no report', message: `unfinished: src/b.spec.ts\n${error.message}` },
    ]);
    reporter.onTestFileResult({ path: started[1] });
    expect(counted({ error }).failures).toEqual([{ name: '@reins/x: no report', message: error.message }]);
  });
});
