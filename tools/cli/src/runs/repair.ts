import type { JsonObject } from '@reins/contracts';
import { repairJournal } from '@reins/journal/rundir';
import type { CliContext } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printJson } from '../output/print.ts';
import { findRunDirectory, type RunHandle } from './locate.ts';
import type { DryRunFlags } from './maintenance.ts';
import { INTACT, type RepairReport } from './repair-report.ts';

/** `reins run:repair-journal`: returns 1 if anything is lost for good. */
export async function runRepairJournal(context: CliContext, argument: string, flags: DryRunFlags): Promise<ExitCode> {
  const handle = findRunDirectory(context, argument, flags);
  const isDryRun = flags.dryRun === true;
  const report = handle
    ? await repairedDirectory(handle, isDryRun)
    : await (await import('../requests/repair.ts')).repairRequest(context, argument, isDryRun);
  if (context.json) printJson(context, answerOf(report));
  else print(context, report);
  return report.lost?.length ? EXIT.failed : EXIT.ok;
}

async function repairedDirectory({ store, run, directory }: RunHandle, isDryRun: boolean): Promise<RepairReport> {
  const { backup, files, entries, ...plan } = await repairJournal(store, run, { dryRun: isDryRun });
  const [rescued, kept] = [plan.rescued.length, entries - plan.rescued.length];
  const summary = [
    `${kept} of ${files} files ${isDryRun ? 'would be kept' : 'kept'}`,
    ...(rescued === 0
      ? []
      : [`${rescued} ${rescued === 1 ? 'entry' : 'entries'} ${isDryRun ? 'would be restored' : 'restored'}`]),
  ].join(', ');
  const lost = plan.lost.length === 0 ? '' : `; lost: ${plan.lost.join(', ')}`;
  return {
    ...plan,
    repaired: !isDryRun && (backup !== undefined || plan.restored.length > 0),
    about: { runDir: directory, backupDir: backup ?? null },
    journal: { originalFiles: files, keptEvents: kept },
    line: plan.whole ? INTACT : summary + lost,
    isDryRun,
  };
}

function answerOf({ about, journal, line: _, isDryRun, ...plan }: RepairReport): JsonObject {
  const count = (type: string): number => plan.dropped.filter((one) => one.type === type).length;
  const counts = { droppedRequested: count('EFFECT_REQUESTED'), droppedResolved: count('EFFECT_RESOLVED') };
  const droppedCorrupt = plan.dropped.length - counts.droppedRequested - counts.droppedResolved;
  return {
    ...(isDryRun && { dryRun: true }),
    ...about,
    journal: { ...journal, droppedCorrupt, ...counts },
    rescued: [],
    restored: [],
    repaired: !isDryRun && !plan.whole,
    ...plan,
  } as unknown as JsonObject;
}

function print(context: CliContext, report: RepairReport): void {
  const { dropped, suspicious, rescued = [], restored = [], warnings, line } = report;
  for (const { name, why } of dropped) context.out(`drop    ${name}: ${why}\n`);
  for (const { name, why } of suspicious) context.out(`suspect ${name}: ${why}\n`);
  for (const { type, effectId, from, isProven } of rescued)
    context.out(`restore ${type}${effectId ? ` ${effectId}` : ''} from ${from}${isProven ? ' (hash verified)' : ''}\n`);
  for (const { path, from } of restored) context.out(`restore ${path} from ${from}\n`);
  for (const warning of warnings) context.out(`warning ${warning}\n`);
  context.out(`${line}\n`);
}
