import type { JsonValue } from '@reins/contracts';
import { BARE_RUN } from '@reins/journal';
import { assignProcess, type ForcedEndStatus, haltRun } from '@reins/replay';
import { readRun, updateRunMetadata } from '@reins/run-directory';
import { wrongUsage } from '../../arguments.ts';
import type { CliContext } from '../../context.ts';
import { entryText, parseEntry, processId, processName } from '../entrypoint.ts';
import type { AssignFlags, HaltFlags } from '../flags.ts';
import { assertInputs } from '../input-schema.ts';
import { keepCode } from '../keep-code.ts';
import { loadProcess } from '../load-process.ts';
import type { RunHandle } from '../locate.ts';
import { cancelledIn, type Outcome } from '../outcome.ts';
import { inputsOption } from '../values.ts';

/** Assigns a process to the run of a directory. */
export async function assignInDirectory(
  context: CliContext,
  handle: RunHandle,
  entry: string,
  flags: AssignFlags,
): Promise<Outcome> {
  const { store, run, directory, metadata } = handle;
  const { state, blobs } = await readRun(store, run);
  const options = { store, run, blobs, ...(flags.force && { force: true }) };
  // Checks the state of the run before loading the new process.
  await assignProcess({ ...options, process: state.process, dryRun: true });
  const entrypoint = parseEntry(entry);
  const loaded = await loadProcess(context, processId(directory, entrypoint), entrypoint);
  const { inputSchema } = loaded;
  const { id, codeHash } = loaded.definition;
  const inputs = flags.inputs === undefined ? undefined : inputsOption(flags.inputs);
  if (inputSchema) await assertInputs(inputSchema, inputs ?? blobs.inputsOf(state));
  const given: { readonly inputs?: JsonValue } = inputs === undefined ? {} : { inputs };
  const assigned = { ...options, process: { id, codeHash }, ...given, ...(flags.dryRun && { dryRun: true }) };
  await store.exclusively(run, flags.dryRun ? undefined : 'run:assign-process', async () => {
    if (!flags.dryRun) await keepCode(handle, loaded);
    await assignProcess(assigned);
  });
  const before = metadata.processId === BARE_RUN ? undefined : metadata.processId;
  const name = flags.processId ?? (typeof before === 'string' ? before : processName(entrypoint));
  if (!flags.dryRun) updateRunMetadata(store.pathsOf(run), { processId: name });
  const answer = {
    ...(flags.dryRun && { dryRun: true }),
    runId: run.runId,
    runDir: directory,
    entry,
    processId: name,
    previousEntrypoint: entryText(metadata),
    force: flags.force === true,
    assigned: flags.dryRun !== true,
  };
  return { answer, line: `${flags.dryRun ? 'would assign' : 'assigned'} the process ${entry} to ${run.runId}` };
}

const SEALS: Readonly<Record<string, ForcedEndStatus | undefined>> = {
  completed: 'completed',
  failed: 'failed',
  halted: 'halted',
};

/** Ends the run of a directory. */
export async function haltInDirectory(
  { store, run, directory, metadata }: RunHandle,
  flags: HaltFlags,
): Promise<Outcome> {
  const { status = 'completed', reason = 'ended by an operator' } = flags;
  const as = SEALS[status];
  if (!as) throw wrongUsage(`--status must be one of ${Object.keys(SEALS).join(', ')} (got ${status})`);
  const halt = { store, run, reason, as, ...(flags.dryRun && { dryRun: true }) };
  const drafts = await store.exclusively(run, flags.dryRun ? undefined : 'run:halt', () => haltRun(halt));
  const proof = as === 'completed' && !flags.dryRun ? { completionProof: metadata.completionProof ?? null } : {};
  const answer = {
    ...(flags.dryRun && { dryRun: true }),
    runId: run.runId,
    runDir: directory,
    status: as,
    reason,
    cancelledEffects: cancelledIn(drafts),
    halted: flags.dryRun !== true,
    ...proof,
  };
  return { answer, line: `${flags.dryRun ? 'would end' : 'ended'} ${run.runId} as ${as}` };
}
