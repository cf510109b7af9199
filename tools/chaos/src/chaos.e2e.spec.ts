import { expect, test } from '@jest/globals';
import { DEFAULT_OPTIONS, formatReport, runChaos } from './index.ts';

test('25 kills of services, NATS and Postgres, and a service that is frozen for long, break no promise under load', async () => {
  const progress: string[] = [];
  const options = { ...DEFAULT_OPTIONS, kills: 25, freezes: 1, seed: 1 };
  const report = await runChaos(options, (line) => void progress.push(line));
  // The report names the command that repeats it, and where the logs are.
  expect(report.ok ? '' : [...progress, formatReport(report)].join('\n')).toBe('');
  expect(report.requests).toBeGreaterThan(20);
  expect(report.endings.completed).toBeGreaterThan(10);
}, 600_000);
