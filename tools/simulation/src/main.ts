#!/usr/bin/env node
/**
 * `npm run simulate -- --seeds N --from F`, `npm run simulate -- --seed S --trace`. Progress goes to standard error.
 * Exit code: 0 = no violation, 1 = violations found, 2 = wrong usage.
 */
import { problemOf } from '@reins/contracts';
import { parseArguments, type SimulationArguments } from './options.ts';
import { simulate } from './simulate.ts';
import { type SeedResult, simulateMany } from './simulate-many.ts';

/** Maximum number of failed seeds in the output. */
const SHOWN = 20;
const PROGRESS_MS = 1_000;

process.exitCode = await main();

async function main(): Promise<number> {
  let args: SimulationArguments;
  try {
    args = parseArguments(process.argv.slice(2));
  } catch (error) {
    const { hint, message } = problemOf(error);
    process.stderr.write(`${message}\n${hint ?? ''}\n`);
    return 2;
  }
  return args.seeds === 1 ? runOne(args) : runMany(args);
}

async function runOne({ from, losesPower, trace }: SimulationArguments): Promise<number> {
  const result = await simulate({ seed: from, losesPower, trace });
  for (const line of result.trace) process.stdout.write(`${line}\n`);
  process.stdout.write(`${formatResult(result, losesPower)}\n`);
  return result.violations.length === 0 ? 0 : 1;
}

async function runMany({ from, losesPower, seeds, threads }: SimulationArguments): Promise<number> {
  const startedAt = performance.now();
  const failed: SeedResult[] = [];
  let [done, steps, crashes, commits] = [0, 0, 0, 0];
  const seconds = (): string => ((performance.now() - startedAt) / 1_000).toFixed(1);
  const progress = setInterval(() => {
    process.stderr.write(`${seconds().padStart(7)} s  ${done} of ${seeds} seeds, ${failed.length} failed\n`);
  }, PROGRESS_MS);
  await simulateMany({
    from,
    seeds,
    losesPower,
    threads,
    onDone: (result) => {
      done += 1;
      steps += result.steps;
      crashes += result.crashes;
      commits += result.commits;
      if (result.violations.length === 0) return;
      failed.push(result);
      process.stderr.write(`${formatResult(result, losesPower)}\n`);
    },
  }).finally(() => clearInterval(progress));
  for (const result of failed.slice(0, SHOWN)) process.stdout.write(`${formatResult(result, losesPower)}\n`);
  const counts = `${crashes} crashes, ${commits} commits, ${steps} steps`;
  process.stdout.write(`${done} seeds from ${from} in ${seconds()} s (${counts}): ${failed.length} failed\n`);
  return failed.length === 0 && done === seeds ? 0 : 1;
}

function formatResult({ seed, violations }: SeedResult, losesPower: true | undefined): string {
  if (violations.length === 0) return `seed ${seed}: no violation`;
  const lines = violations.map(({ check, message, requestId = '' }) => `  ${check} ${requestId}: ${message}`);
  const options = losesPower ? ' --power' : '';
  return [`seed ${seed}:`, ...lines, `  reproduce: npm run simulate -- --seed ${seed}${options} --trace`].join('\n');
}
