import type { ProcessRef } from '@reins/contracts';
import { type RepairPlan, repairJournal } from '@reins/run-directory';
import type { CliContext } from '../../context.ts';
import { type Entrypoint, parseEntry, processId } from '../entrypoint.ts';
import type { RepairFlags } from '../flags.ts';
import { keepCode } from '../keep-code.ts';
import { type LoadedProcess, loadProcess } from '../load-process.ts';
import type { RunHandle } from '../locate.ts';
import { type CodeRepair, repairCode } from '../repair-code.ts';
import { INTACT, type RepairReport } from '../repair-report.ts';

/** Repairs the journal of a run directory, and the code that it keeps. */
export async function repairDirectory(
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
