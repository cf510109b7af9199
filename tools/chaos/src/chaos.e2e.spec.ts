import { expect, test } from '@jest/globals';
import { REPEATS } from '@reins/testing';
import { DEFAULT_OPTIONS, formatReport, runChaos } from './index.ts';

/** Ten times what a kill takes on two quiet cores: the limit stops only a run that hangs. */
const LIMIT_MS = 300_000 + REPEATS.kills * 40_000;

test(
  `${REPEATS.kills} kills of services, NATS and Postgres, and a long freeze of a service, break no promise under load`,
  async () => {
    const progress: string[] = [];
    const options = { ...DEFAULT_OPTIONS, kills: REPEATS.kills, freezes: 1, seed: 1 };
    const report = await runChaos(options, (line) => void progress.push(line));
    // The report names the command that repeats it, and where the logs are. It comes first, in case that the rest is cut.
    expect(report.ok ? '' : [formatReport(report), ...progress].join('\n')).toBe('');
    expect(report.requests).toBeGreaterThan(REPEATS.kills * 0.8);
    expect(report.endings.completed).toBeGreaterThan(REPEATS.kills * 0.4);
  },
  LIMIT_MS,
);
