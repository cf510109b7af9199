#!/usr/bin/env node
/**
 * `npm run chaos -- --kills N --seed S …`. Progress goes to standard error; `--json` prints the result.
 * Exit code: 0 = no violation, 1 = violations found or the system did not start, 2 = wrong usage.
 */
import { problemOf } from '@reins/contracts';
import { type ChaosArguments, parseArguments } from './options.ts';
import { formatReport } from './report.ts';
import { runChaos } from './run-chaos.ts';

process.exitCode = await main();

async function main(): Promise<number> {
  let args: ChaosArguments;
  try {
    args = parseArguments(process.argv.slice(2));
  } catch (error) {
    const { hint, message } = problemOf(error);
    process.stderr.write(`${message}\n${hint ?? ''}\n`);
    return 2;
  }
  const startedAt = performance.now();
  const log = (line: string): void => {
    const at = ((performance.now() - startedAt) / 1_000).toFixed(1).padStart(6);
    process.stderr.write(`${at} ${line}\n`);
  };
  try {
    const report = await runChaos(args, log);
    process.stderr.write(`${formatReport(report)}\n`);
    if (args.json) process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
    return report.ok ? 0 : 1;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    return 1;
  }
}
