import { defined, type JsonValue } from '@reins/contracts';
import { BARE_RUN } from '@reins/journal';
import { assignProcess, type ForcedEndStatus, haltRun } from '@reins/replay';
import { readRun, updateRunMetadata } from '@reins/run-directory';
import { wrongUsage } from '../arguments.ts';
import type { CliContext } from '../context.ts';
import type { ExitCode } from '../exit-codes.ts';
import { entryText, parseEntry, processId, processName } from './entrypoint.ts';
import { assertInputs } from './input-schema.ts';
import { keepCode } from './keep-code.ts';
import { loadProcess } from './load-process.ts';
import { findRunDirectory } from './locate.ts';
import { cancelledIn, type DryRunFlags, printResult } from './maintenance.ts';
import { inputsOption } from './values.ts';

export interface AssignFlags extends DryRunFlags {
  readonly entry?: string;
  readonly processId?: string;
  readonly inputs?: string;
  readonly force?: boolean;
}

/** `reins run:assign-process` */
export async function runAssignProcess(context: CliContext, argument: string, flags: AssignFlags): Promise<ExitCode> {
  if (flags.entry === undefined) throw wrongUsage('--entry <path>#<export> is missing');
  const handle = findRunDirectory(context, argument, flags);
  if (!handle) return assignOnBus(context, argument, flags.entry, flags);
  const { store, run, directory, metadata } = handle;
  const { state, blobs } = await readRun(store, run);
  const options = { store, run, blobs, ...(flags.force && { force: true }) };
  // Checks the state of the run before loading the new process.
  await assignProcess({ ...options, process: state.process, dryRun: true });
  const entrypoint = parseEntry(flags.entry);
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
    entry: flags.entry,
    processId: name,
    previousEntrypoint: entryText(metadata),
    force: flags.force === true,
    assigned: flags.dryRun !== true,
  };
  return printResult(
    context,
    answer,
    `${flags.dryRun ? 'would assign' : 'assigned'} the process ${flags.entry} to ${run.runId}`,
  );
}

/** Assigns a process to a request: code of its workspace, or a built-in process. */
async function assignOnBus(
  context: CliContext,
  requestId: string,
  entry: string,
  { dryRun, force = false, inputs, processId: name }: AssignFlags,
): Promise<ExitCode> {
  if (name !== undefined)
    throw wrongUsage(
      '--process-id is for run directories only',
      'Leave it out: the process of a request keeps its own name.',
    );
  if (entry.trim() === '' || entry.startsWith('#'))
    throw wrongUsage("the entry must have a module path before '#'", 'Use --entry <path>#<export>.');
  const { assignToRequest } = await import('../requests/assign.ts');
  const given = inputs === undefined ? {} : { inputs: inputsOption(inputs) };
  const options = { process: entry, force, ...given, ...(dryRun && { dryRun }) };
  const previousEntrypoint = await assignToRequest(context, requestId, options);
  const answer = { requestId, entry, processId: entry, previousEntrypoint, force, assigned: dryRun !== true };
  const line = `${dryRun ? 'would assign' : 'assigned'} the process ${entry} to ${requestId}`;
  return printResult(context, { ...(dryRun && { dryRun }), ...answer }, line);
}

export interface HaltFlags extends DryRunFlags {
  readonly status?: string;
  readonly reason?: string;
}

const SEALS: Readonly<Record<string, ForcedEndStatus | undefined>> = {
  completed: 'completed',
  failed: 'failed',
  halted: 'halted',
};

/** `reins run:halt` */
export async function runHalt(context: CliContext, argument: string, flags: HaltFlags): Promise<ExitCode> {
  const handle = findRunDirectory(context, argument, flags);
  if (!handle) return haltOnBus(context, argument, flags);
  const { status = 'completed', reason = 'ended by an operator' } = flags;
  const as = SEALS[status];
  if (!as) throw wrongUsage(`--status must be one of ${Object.keys(SEALS).join(', ')} (got ${status})`);
  const { store, run, directory, metadata } = handle;
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
  return printResult(context, answer, `${flags.dryRun ? 'would end' : 'ended'} ${run.runId} as ${as}`);
}

/** Halts a request. An operator can halt or cancel a request, but cannot declare it failed. */
async function haltOnBus(
  context: CliContext,
  requestId: string,
  { status, reason, dryRun }: HaltFlags,
): Promise<ExitCode> {
  if (status !== undefined && status !== 'halted')
    throw wrongUsage(
      `--status ${status} is not supported for requests`,
      'Leave --status out, or use `reins requests cancel`.',
    );
  const { haltRequest } = await import('../requests/control.ts');
  const options = { ...defined({ reason }), ...(dryRun && { dryRun }) };
  const cancelledEffects = await haltRequest(context, requestId, options);
  const answer = { ...(dryRun && { dryRun }), requestId, status: 'halted', cancelledEffects, halted: dryRun !== true };
  return printResult(context, answer, `${dryRun ? 'would end' : 'ending'} ${requestId}`);
}
