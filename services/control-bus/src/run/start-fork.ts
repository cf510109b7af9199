import { type CommandRunSubmit, type EntryData, isReinsError, type JsonObject, type Problem } from '@reins/contracts';
import { DamagedJournal, type Entry, type EntryDraft, foldRun, type RunState } from '@reins/journal';
import { replayRun } from '@reins/replay';
import { pipeline } from '../processes/pipeline.ts';
import type { PipelineInputs } from '../processes/pipeline-inputs.ts';
import { PROCESS_START_ERRORS, runnerOf } from '../processes/runner-of.ts';
import { processInputsOf } from './create-run.ts';
import { forkedRun } from './forked-run.ts';
import type { RunPorts } from './run-ports.ts';
import { sharedStages } from './shared-stages.ts';
import { rejectedRun, startRun } from './start-run.ts';

/** How a fork begins: with the entries that it shares; or as any run does that waits for its turn or cannot begin. */
export type ForkStart = { readonly shared: readonly Entry[] } | { readonly drafts: readonly EntryDraft[] };

/**
 * The first entries of a run that was submitted with `fork`. What it is given is what its command says, and the installation's part of
 * it that of the other run. When its process would have decided otherwise with that, it has failed before anybody was asked for anything.
 */
export async function startFork(ports: RunPorts, state: RunState, command: CommandRunSubmit): Promise<ForkStart> {
  const { fork, workspaceId } = command;
  const drafts = await startRun(ports, state, command);
  if (!fork || drafts.length !== 1) return { drafts };
  const { run } = state;
  try {
    const { entries } = await ports.journal.load({ workspaceId, runId: fork.requestId }).catch(readablePart);
    const now = ports.clock.now().toISOString();
    const shared = forkedRun({
      command: { ...command, fork },
      entries,
      now,
      inputsFor: (before, shared) => forkInputs(command, before, shared),
    });
    const runner = await runnerOf(ports, foldRun(run, shared));
    const { divergence } = await replayRun({ run, entries: shared, definition: runner, blobs: ports.values });
    return divergence ? { drafts: rejectedRun(ports, command, divergentPrefix(divergence.error)) } : { shared };
  } catch (error) {
    if (!isReinsError(error) || !FORK_ERRORS.has(error.code)) throw error;
    return { drafts: rejectedRun(ports, command, error) };
  }
}

/** What the command says, for all that follows; of a pipeline, with what was said for the stages that are shared. */
function forkInputs(
  command: CommandRunSubmit,
  { process, inputs }: Pick<EntryData['RUN_CREATED'], 'process' | 'inputs'>,
  entries: readonly Entry[],
): Pick<EntryData['RUN_CREATED'], 'inputs' | 'metadata'> {
  const before = inputs as unknown as PipelineInputs;
  const given = processInputsOf(process.id, command, before);
  if (process.id !== pipeline.id) return given;
  const shared = sharedStages(entries, before);
  if (Object.keys(shared).length === 0) return given;
  return { ...given, inputs: { ...(given.inputs as JsonObject), shared: shared as unknown as JsonObject } };
}

/** A damaged journal can be shared as far as a repair keeps it. */
function readablePart(error: unknown): { readonly entries: readonly Entry[] } {
  if (error instanceof DamagedJournal) return error.mended;
  throw error;
}

/** What is wrong with the fork itself, and will be the next time. */
const FORK_ERRORS: ReadonlySet<string> = new Set([
  ...PROCESS_START_ERRORS,
  'request_not_found',
  'request_invalid',
  'journal_corrupt',
]);

const divergentPrefix = ({ message, path }: Problem): Problem => ({
  code: 'replay_nondeterminism',
  message: `with what it is given, the shared entries would be others: ${message}`,
  ...(path !== undefined && { path }),
  hint: 'fork at an earlier entry',
});
