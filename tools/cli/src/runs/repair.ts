import type { JsonObject, ProcessRef } from '@reins/contracts';
import { type RepairPlan, repairJournal } from '@reins/run-directory';
import type { CliContext } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printJson } from '../output/print.ts';
import { printable } from '../output/printable.ts';
import { type Entrypoint, parseEntry, processId } from './entrypoint.ts';
import { keepCode } from './keep-code.ts';
import { type LoadedProcess, loadProcess } from './load-process.ts';
import { findRunDirectory, type RunHandle } from './locate.ts';
import type { DryRunFlags } from './maintenance.ts';
import { type CodeRepair, repairCode } from './repair-code.ts';
import { INTACT, type RepairReport } from './repair-report.ts';

export interface RepairFlags extends DryRunFlags {
  /** Effects, or numbers of entries, whose changed content is kept although nothing proves it. */
  readonly accept?: readonly string[];
  /** The process of a run that lost its first entry and `run.json`. */
  readonly entry?: string;
}

/** `reins run:repair-journal`: returns 1 if anything is lost for good, or waits for `--accept`. */
export async function runRepairJournal(context: CliContext, argument: string, flags: RepairFlags): Promise<ExitCode> {
  const handle = findRunDirectory(context, argument, flags);
  const isDryRun = flags.dryRun === true;
  const report = handle
    ? await repairedDirectory(context, handle, flags)
    : await (await import('../requests/repair.ts')).repairRequest(context, argument, isDryRun);
  if (context.json) printJson(context, answerOf(report));
  else print(context, report);
  return report.lost?.length || report.unproven?.length ? EXIT.failed : EXIT.ok;
}

async function repairedDirectory(
  context: CliContext,
  handle: RunHandle,
  { accept = [], entry, dryRun }: RepairFlags,
): Promise<RepairReport> {
  const { store, run, directory } = handle;
  const isDryRun = dryRun === true;
  const given = entry === undefined ? undefined : await processOf(context, handle, parseEntry(entry));
  const options = { dryRun: isDryRun, accept, ...(given && { process: processRefOf(given) }) };
  const { backup, files, entries, notes, processes, ...journal } = await repairJournal(store, run, options);
  const kept = entries - notes - journal.rescued.length;
  const code = await repairCode(handle, processes, isDryRun || journal.unproven !== undefined);
  if (given && !isDryRun) await store.exclusively(run, 'repair-journal', () => keepCode(handle, given));
  const plan = withCode(journal, code);
  const summary = plan.unproven
    ? 'the journal was not changed: accept or restore the changed entries'
    : keptText({ files, kept, rescued: plan.rescued.length }, isDryRun);
  const lost = plan.lost.length === 0 ? '' : `; lost: ${plan.lost.join(', ')}`;
  return {
    ...plan,
    repaired: !isDryRun && !plan.unproven && (backup !== undefined || isChanged(plan)),
    about: { runDir: directory, backupDir: backup ?? null },
    journal: { originalFiles: files, keptEvents: kept },
    line: plan.whole ? INTACT : summary + lost,
    isDryRun,
  };
}

/** The number of kept files, and of entries that were restored from elsewhere. */
function keptText(
  { files, kept, rescued }: { readonly files: number; readonly kept: number; readonly rescued: number },
  isDryRun: boolean,
): string {
  const filesText = `${kept} of ${files} files ${isDryRun ? 'would be kept' : 'kept'}`;
  const restored = `${rescued} ${rescued === 1 ? 'entry' : 'entries'} ${isDryRun ? 'would be restored' : 'restored'}`;
  return rescued === 0 ? filesText : `${filesText}, ${restored}`;
}

/** Whether a repair changes anything else than the entries. */
const isChanged = ({ restored, aside, runId }: Pick<RepairPlan, 'restored' | 'aside' | 'runId'>): boolean =>
  restored.length > 0 || aside !== undefined || runId !== undefined;

const processOf = (context: CliContext, { directory }: RunHandle, entrypoint: Entrypoint): Promise<LoadedProcess> =>
  loadProcess(context, processId(directory, entrypoint), entrypoint);

const processRefOf = ({ definition: { id, codeHash } }: LoadedProcess): ProcessRef => ({ id, codeHash });

/** The repair of the journal, with that of the kept code. */
function withCode<T extends Pick<RepairPlan, 'restored' | 'lost' | 'warnings' | 'whole'>>(
  plan: T,
  { restored, lost, warnings }: CodeRepair,
): T {
  return {
    ...plan,
    restored: [...plan.restored, ...restored],
    lost: [...plan.lost, ...lost],
    warnings: [...plan.warnings, ...warnings],
    whole: plan.whole && restored.length + lost.length === 0,
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
