import type { JsonObject, Problem } from '@reins/contracts';
import type { EntryDraft } from '@reins/journal';
import { readRun, rebuildState, removeProcessError, verifyRunDirectory } from '@reins/run-directory';
import { wrongUsage } from '../arguments.ts';
import type { CliContext } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printJson } from '../output/print.ts';
import { printable } from '../output/printable.ts';
import { importProblems } from './keep-code.ts';
import { findRunDirectory, type RunHandle, type RunsFlags } from './locate.ts';

export interface DryRunFlags extends RunsFlags {
  readonly dryRun?: boolean;
}

/** `reins run:rebuild-state` */
export async function runRebuildState(context: CliContext, argument: string, flags: DryRunFlags): Promise<ExitCode> {
  const handle = findRunDirectory(context, argument, flags);
  if (!handle) return comparedRequest(context, argument, flags);
  const { store, run, directory } = handle;
  if (flags.dryRun) {
    const { drift, made } = await rebuildState(store, run, { dryRun: true });
    const answer = { dryRun: true, runDir: directory, plan: 'rebuild_state_cache', reason: 'cli_manual', drift, made };
    return printResult(context, answer, made.length === 0 ? NOTHING_TO_REBUILD : `would rebuild: ${made.join(', ')}`);
  }
  const { drift, state, made, left } = await rebuildState(store, run, { views: true });
  const { stateVersion, journalHead, pendingEffectsByKind } = state;
  const metadata = { pendingEffectsByKind, stateVersion, journalHead, stateRebuilt: true };
  const answer = { runDir: directory, metadata: { ...metadata, stateRebuildReason: 'cli_manual' }, drift, made, left };
  const wrong = left.length === 0 ? '' : `not rebuilt: ${left.join(', ')}; run run:verify for details`;
  const done = made.length === 0 ? '' : `rebuilt: ${made.join(', ')}`;
  printResult(context, answer as JsonObject, [done, wrong].filter(Boolean).join('; ') || NOTHING_TO_REBUILD);
  return left.length === 0 ? EXIT.ok : EXIT.failed;
}

/** Services maintain the derived state of a request. Reports differences with their remedy, and returns 1 if there are any. */
async function comparedRequest(context: CliContext, requestId: string, flags: DryRunFlags): Promise<ExitCode> {
  const { compareState } = await import('../requests/rebuild.ts');
  const { differences, mend: remedy, ...found } = await compareState(context, requestId);
  const answer = { ...(flags.dryRun && { dryRun: true }), ...found, differences, ...(remedy && { mend: remedy }) };
  for (const { path, journal, told: derived } of differences)
    context.note(`${path}: ${JSON.stringify(derived)}, but the journal has ${JSON.stringify(journal)}`);
  printResult(context, answer as unknown as JsonObject, remedy ?? NOTHING_TO_REBUILD);
  return remedy === undefined || flags.dryRun ? EXIT.ok : EXIT.failed;
}

const NOTHING_TO_REBUILD = 'all derived state matches the journal';

/** `reins run:verify`: returns 1 if there are problems. */
export async function runVerify(context: CliContext, argument: string, flags: RunsFlags): Promise<ExitCode> {
  const handle = findRunDirectory(context, argument, flags);
  const { problems, ...report } = handle ? await verifyDirectory(handle) : await verifiedRequest(context, argument);
  if (context.json) printJson(context, { ok: problems.length === 0, ...report, problems });
  else {
    for (const { message, hint } of problems)
      context.note(`${printable(message)}${hint ? `\n  ${printable(hint)}` : ''}`);
    if (problems.length === 0)
      context.out(`${argument} is valid (entries: ${report.entries}, head: ${report.headHash})\n`);
  }
  return problems.length === 0 ? EXIT.ok : EXIT.failed;
}

async function verifyDirectory(handle: RunHandle) {
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

async function verifiedRequest(context: CliContext, requestId: string) {
  const { verifyRequest } = await import('../requests/inspect.ts');
  return { requestId, ...(await verifyRequest(context, requestId)) };
}

async function headOf(...[store, run]: Parameters<typeof readRun>) {
  const { entries } = await readRun(store, run).catch(() => ({ entries: [] }));
  return { entries: entries.length, headHash: entries.at(-1)?.hash ?? null };
}

export interface RecoverFlags extends DryRunFlags {
  readonly patchEffect: readonly string[];
}

/** `reins run:recover-process-error` */
export async function runRecover(context: CliContext, argument: string, flags: RecoverFlags): Promise<ExitCode> {
  const handle = findRunDirectory(context, argument, flags);
  if (!handle) return recoverOnBus(context, argument, flags);
  const { store, run, directory } = handle;
  const patches = flags.patchEffect.map(patchOf);
  const { removed, backup } = await removeProcessError(store, run, { patches, dryRun: flags.dryRun === true });
  const answer = {
    ...(flags.dryRun && { dryRun: true }),
    runDir: directory,
    removedSeq: removed,
    patched: patches.length,
  };
  return printResult(
    context,
    { ...answer, backupDir: backup ?? null, recovered: backup !== undefined },
    `${backup ? 'removed' : 'would remove'} entry ${removed} from the journal`,
  );
}

async function recoverOnBus(context: CliContext, requestId: string, flags: RecoverFlags): Promise<ExitCode> {
  const { recoverRequest } = await import('../requests/recover.ts');
  const isDryRun = flags.dryRun === true;
  const answer = await recoverRequest(context, requestId, { patches: flags.patchEffect, isDryRun });
  return printResult(
    context,
    { ...(isDryRun && { dryRun: true }), ...answer },
    `${isDryRun ? 'would resume' : 'resuming'} ${requestId} after entry ${answer.errorSeq}`,
  );
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

/** Prints the result: as JSON, or as one line. */
export function printResult(context: CliContext, answer: JsonObject, line: string): ExitCode {
  if (context.json) printJson(context, answer);
  else context.out(`${line}\n`);
  return EXIT.ok;
}

/** The ids of the effects that the drafts cancel. */
export const cancelledIn = (drafts: readonly EntryDraft[]): string[] =>
  drafts.flatMap((draft) => (draft.type === 'EFFECT_CANCELLED' ? [draft.data.effectId] : []));
