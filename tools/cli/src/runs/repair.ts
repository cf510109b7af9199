import type { JsonObject } from '@reins/contracts';
import type { CliContext } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printJson } from '../output/print.ts';
import { printable } from '../output/printable.ts';
import type { RepairFlags } from './flags.ts';
import { openRunBackend } from './open-run-backend.ts';
import type { RepairReport } from './repair-report.ts';

/** `reins run:repair-journal`: returns 1 if anything is lost for good, or waits for `--accept`. */
export async function runRepairJournal(context: CliContext, argument: string, flags: RepairFlags): Promise<ExitCode> {
  const run = await openRunBackend(context, argument, flags);
  const report = await run.repair(flags);
  if (context.json) printJson(context, answerOf(report));
  else print(context, report);
  return report.lost?.length || report.unproven?.length ? EXIT.failed : EXIT.ok;
}

function answerOf({ about, journal, line: _, isDryRun, ...plan }: RepairReport): JsonObject {
  const count = (type: string): number => plan.dropped.filter((one) => one.type === type).length;
  const counts = { droppedRequested: count('EFFECT_REQUESTED'), droppedResolved: count('EFFECT_RESOLVED') };
  const droppedCorrupt = plan.dropped.length - counts.droppedRequested - counts.droppedResolved;
  return {
    ...(isDryRun && { dryRun: true }),
    ...about,
    journal: { ...journal, droppedCorrupt, ...counts },
    reordered: [],
    aside: [],
    unproven: [],
    accepted: [],
    rescued: [],
    restored: [],
    repaired: !isDryRun && !plan.whole,
    ...plan,
  } as unknown as JsonObject;
}

function print(context: CliContext, report: RepairReport): void {
  const {
    dropped,
    reordered = [],
    aside = [],
    suspicious,
    accepted = [],
    rescued = [],
    restored = [],
    warnings,
    line,
  } = report;
  const out = (text: string) => context.out(`${printable(text)}\n`);
  for (const { name, version } of reordered) out(`reorder ${name}: entry ${version}`);
  for (const { name, why } of aside) out(`move    ${name}: ${why}`);
  for (const { entry, type, effectId } of accepted)
    out(`accept  entry ${entry} (${type})${effectId === undefined ? '' : ` of effect ${effectId}`}`);
  for (const { name, why } of dropped) out(`drop    ${name}: ${why}`);
  for (const { name, why } of suspicious) out(`suspect ${name}: ${why}`);
  for (const { type, effectId, from, isProven } of rescued)
    out(`restore ${type}${effectId ? ` ${effectId}` : ''} from ${from}${isProven ? ' (hash verified)' : ''}`);
  for (const { path, from } of restored) out(`restore ${path} from ${from}`);
  for (const warning of warnings) out(`warning ${warning}`);
  out(`${line}`);
}
