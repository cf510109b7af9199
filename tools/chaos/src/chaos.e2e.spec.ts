import { expect, test } from '@jest/globals';
import { DEFAULT_OPTIONS, formatReport, runChaos } from './index.ts';

test('25 kills of services, NATS and Postgres, and a long freeze, cause no violations under load', async () => {
  const progress: string[] = [];
  const options = { ...DEFAULT_OPTIONS, kills: 25, freezes: 1, seed: 1 };
  const report = await runChaos(options, (line) => void progress.push(line));
  // The report names the command that repeats the run, and the folder of the logs.
  expect(report.ok ? '' : [...progress, formatReport(report)].join('\n')).toBe('');
  expect(report.requests).toBeGreaterThan(20);
  expect(report.endings.completed).toBeGreaterThan(10);
}, 600_000);
