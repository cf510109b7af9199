import { existsSync } from 'node:fs';
import { type JsonObject, type JsonValue, ReinsError } from '@reins/contracts';
import type { Entry } from '@reins/journal';
import { LocalRun, replayRun } from '@reins/replay';
import { type BabysitterEnvironment, governanceIn } from '@reins/replay/babysitter';
import { LAYOUT_VERSION, type LoadedRun, RunBlobs, readRun, rebuildState, staleReason } from '@reins/run-directory';
import type { CliContext } from '../../context.ts';
import { entrypointOf, noProcess } from '../entrypoint.ts';
import type { RecordedCode } from '../find-code.ts';
import { runHooks } from '../hooks.ts';
import { type IterationReport, type IterationResult, iterationReport, startOf } from '../iteration-report.ts';
import { keepCode, keptCodeOf } from '../keep-code.ts';
import { type LoadedProcess, loadProcess } from '../load-process.ts';
import type { RunHandle } from '../locate.ts';

/** Runs the process of a run directory until it waits or ends. */
export async function iterateDirectory(context: CliContext, handle: RunHandle): Promise<IterationReport> {
  const before = await readRun(handle.store, handle.run);
  const start = startOf(before);
  const iterated = await iterate(context, handle, before);
  const after = iterated.state === before.state ? before : await readRun(handle.store, handle.run);
  const warnings = warningsOf(before, after);
  for (const warning of warnings) context.note(warning);
  return iterationReport({ start, after, iterated, warnings });
}

/** Runs the process until it waits or ends. For a run that has ended, returns its outcome. */
async function iterate(context: CliContext, handle: RunHandle, before: LoadedRun): Promise<IterationResult> {
  const { state } = before;
  if (state.end) return { outcome: state.end.status, state, ...(await recoverOutput(context, handle, before)) };
  const loaded = await loadedOf(context, handle, before);
  const { definition } = loaded;
  return handle.store.exclusively(handle.run, 'run:iterate', async () => {
    await keepCode(handle, loaded);
    const local = await LocalRun.open({ ...openOptions(handle, before.entries), definition });
    await runHooks(local, handle).finally(() => local.close());
    if (local.state.head.version === before.position) await rebuildStaleState(handle, before);
    const { processState: outcome, divergence } = local;
    return { outcome, state: local.state, ...(divergence && { divergence }) };
  });
}

/** Rebuilds state files that a killed process left stale. Needed only when no entry was appended. */
async function rebuildStaleState({ store, run }: RunHandle, before: LoadedRun): Promise<void> {
  if (!before.isLegacy && staleReason(before) !== null) await rebuildState(store, run, { views: true });
}

function warningsOf(before: LoadedRun, after: LoadedRun): string[] {
  const hasCodeChanged = after.entries.slice(before.entries.length).some(({ type }) => type === 'PROCESS_CODE_CHANGED');
  return hasCodeChanged ? ['the code of the process has changed; the journal records the new hash'] : [];
}

/** Which code of the process to use; by default that at its path. */
type Choice = Partial<Pick<RecordedCode, 'isExact'>>;

/** @throws ReinsError `process_missing` for a bare run · `process_invalid` */
export async function definitionOf(
  context: CliContext,
  handle: RunHandle,
  recorded: Pick<LoadedRun, 'state' | 'entries'>,
  choice: Choice = {},
): Promise<LoadedProcess['definition']> {
  return (await loadedOf(context, handle, recorded, choice)).definition;
}

async function loadedOf(
  context: CliContext,
  handle: RunHandle,
  { state, entries }: Pick<LoadedRun, 'state' | 'entries'>,
  choice: Choice = {},
): Promise<LoadedProcess> {
  if (entries.length === 0)
    throw new ReinsError({ code: 'journal_corrupt', message: 'the journal has no entries', path: handle.directory });
  const entrypoint = entrypointOf(handle, state.process);
  if (entrypoint) {
    const recorded = { recorded: state.process.codeHash, kept: keptCodeOf(handle), ...choice };
    const surroundings = { ...surroundingsOf(handle, entries), ...recorded };
    return loadProcess(context, state.process.id, entrypoint, surroundings);
  }
  throw noProcess(handle.directory);
}

function surroundingsOf(handle: RunHandle, entries: readonly Entry[]): BabysitterEnvironment {
  const governance = governanceIn(permissionsOf(handle, entries));
  return { runDir: handle.directory, ...(governance && { governance }) };
}

/**
 * What allows or forbids work of a run, fixed at its creation: in the first entry, which the hash chain covers. A run of
 * babysitter has it in `run.json` alone.
 */
function permissionsOf({ metadata }: Pick<RunHandle, 'metadata'>, [first]: readonly Entry[]): JsonObject | undefined {
  const recorded = first?.type === 'RUN_CREATED' ? first.data.metadata : undefined;
  return recorded ?? (metadata.layoutVersion === LAYOUT_VERSION ? undefined : metadata);
}

/** @param entries of the run */
export function openOptions({ store, run, metadata }: RunHandle, entries: readonly Entry[]) {
  const blobs = new RunBlobs(store.pathsOf(run));
  const isNonInteractive = permissionsOf({ metadata }, entries)?.nonInteractive === true;
  return { store, run, blobs, ...(isNonInteractive && { nonInteractive: true }) };
}

/** Babysitter stored the output next to the journal. If that file is lost, replays the process to get the output again. */
async function recoverOutput(
  context: CliContext,
  handle: RunHandle,
  before: LoadedRun,
): Promise<{ readonly output?: JsonValue }> {
  const { end, process } = before.state;
  if (!before.isLegacy || end?.status !== 'completed' || existsSync(before.paths.outputFile)) return {};
  if (!entrypointOf(handle, process)) return {};
  const definition = await definitionOf(context, handle, before);
  const entries = before.entries.slice(0, -1) as Entry[];
  const { unrecorded } = await replayRun({ ...openOptions(handle, entries), entries, definition });
  const completed = unrecorded.find(({ type }) => type === 'RUN_COMPLETED');
  return completed?.type === 'RUN_COMPLETED' ? { output: completed.data.output } : {};
}
