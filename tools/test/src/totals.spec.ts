import { describe, expect, it } from '@jest/globals';
import { printFailures, Totals } from './totals.mjs';

const test = (fullName: string, status: string, failureMessages: string[] = []) => ({
  fullName,
  status,
  failureMessages,
});

describe('the totals of a test run', () => {
  it('count passed tests and name failed ones', () => {
    const totals = new Totals();
    const assertionResults = [test('a works', 'passed'), test('b works', 'failed', ['expected 1, not 2'])];
    totals.addReport('@reins/x', {
      numPassedTests: 1,
      testResults: [{ name: 'x.spec.ts', status: 'failed', message: '', assertionResults }],
    });
    expect([totals.passed, totals.failed]).toEqual([1, 1]);
    const lines: string[] = [];
    printFailures(totals, (line: string) => lines.push(line));
    expect(lines.join('\n')).toContain('● @reins/x: b works\nexpected 1, not 2');
  });

  it('count a file that cannot be loaded, and a skipped test, as failures', () => {
    const totals = new Totals();
    totals.addReport('@reins/x', {
      numPassedTests: 0,
      testResults: [
        { name: 'broken.spec.ts', status: 'failed', message: 'SyntaxError', assertionResults: [] },
        { name: 'lazy.spec.ts', status: 'passed', message: '', assertionResults: [test('later', 'pending')] },
      ],
    });
    expect(totals.failures.map(({ name }: { name: string }) => name)).toEqual([
      '@reins/x: broken.spec.ts',
      '@reins/x: later',
    ]);
  });
});
