import type { JsonObject, Problem } from '@reins/contracts';
import { readRun, rebuildState, removeProcessError, verifyRunDirectory } from '@reins/run-directory';
import { wrongUsage } from '../../arguments.ts';
import { EXIT } from '../../exit-codes.ts';
import type { RecoverFlags } from '../flags.ts';
import { importProblems } from '../keep-code.ts';
import type { RunHandle } from '../locate.ts';
import { NOTHING_TO_REBUILD, type Outcome } from '../outcome.ts';

/** Rebuilds the derived state of a run directory. */
export async function rebuildDirectory(
  { store, run, directory }: RunHandle,
  { dryRun }: { readonly dryRun?: boolean },
): Promise<Outcome> {
  if (dryRun) {
    const { drift, made } = await rebuildState(store, run, { dryRun: true });
    const answer = { dryRun: true, runDir: directory, plan: 'rebuild_state_cache', reason: 'cli_manual', drift, made };
    return { answer, line: made.length === 0 ? NOTHING_TO_REBUILD : `would rebuild: ${made.join(', ')}` };
  }
  const { drift, state, made, left } = await rebuildState(store, run, { views: true });
  const { stateVersion, journalHead, pendingEffectsByKind } = state;
  const metadata = { pendingEffectsByKind, stateVersion, journalHead, stateRebuilt: true };
  const answer = { runDir: directory, metadata: { ...metadata, stateRebuildReason: 'cli_manual' }, drift, made, left };
  const wrong = left.length === 0 ? '' : `not rebuilt: ${left.join(', ')}; run run:verify for details`;
  const done = made.length === 0 ? '' : `rebuilt: ${made.join(', ')}`;
  const line = [done, wrong].filter(Boolean).join('; ') || NOTHING_TO_REBUILD;
  return { answer: answer as JsonObject, line, exit: left.length === 0 ? EXIT.ok : EXIT.failed };
}

/** Verifies the journal and the files of a run directory. */
export async function verifyDirectory(handle: RunHandle) {
  const { store, run, directory } = handle;
  const problems = await directoryProblems(handle);
  const isBroken = problems.some(({ path }) => path?.startsWith('journal'));
  return { runDir: directory, ...(isBroken ? {} : await headOf(store, run)), problems };
}

/** Everything that is wrong with a run directory, and with the code that it keeps. */
export async function directoryProblems(handle: RunHandle): Promise<Problem[]> {
  const { store, run } = handle;
  const problems = await verifyRunDirectory(store, run);
  if (problems.length > 0) return problems;
  return importProblems(handle, (await readRun(store, run)).entries);
}

async function headOf(...[store, run]: Parameters<typeof readRun>) {
  const { entries } = await readRun(store, run).catch(() => ({ entries: [] }));
  return { entries: entries.length, headHash: entries.at(-1)?.hash ?? null };
}

/** Removes the last process error from the journal of a run directory. */
export async function recoverDirectory({ store, run, directory }: RunHandle, flags: RecoverFlags): Promise<Outcome> {
  const patches = flags.patchEffect.map(patchOf);
  const { removed, backup } = await removeProcessError(store, run, { patches, dryRun: flags.dryRun === true });
  const answer = {
    ...(flags.dryRun && { dryRun: true }),
    runDir: directory,
    removedSeq: removed,
    patched: patches.length,
  };
  return {
    answer: { ...answer, backupDir: backup ?? null, recovered: backup !== undefined },
    line: `${backup ? 'removed' : 'would remove'} entry ${removed} from the journal`,
  };
}

/** Parses `<effectId>:<a.b>=<json>`. */
function patchOf(text: string) {
  const [, effectId, path, json] = /^([A-Za-z0-9_-]+):([^=]+)=(.*)$/s.exec(text) ?? [];
  if (effectId === undefined || path === undefined || json === undefined)
    throw wrongUsage(`--patch-effect must be <effectId>:<a.b>=<json> (got ${text})`);
  try {
    return { effectId, path: path.split('.'), value: JSON.parse(json) };
  } catch {
    throw wrongUsage(`--patch-effect ${effectId}: the value is not valid JSON`);
  }
}
