import {
  type CommandRunSubmit,
  defined,
  type EntryData,
  isObject,
  isReinsError,
  type JsonObject,
  type Problem,
  problemOf,
  type Stage,
} from '@reins/contracts';
import { CorruptedJournalError, type Entry, type EntryDraft, effectKind, foldRun, type RunState } from '@reins/journal';
import { replayRun } from '@reins/replay';
import { pipeline } from '../../processes/pipeline.ts';
import { type PipelineInputs, type SharedStage, stageKey } from '../../processes/pipeline-inputs.ts';
import { PROCESS_START_ERRORS, runnerOf } from '../../processes/runner-of.ts';
import type { RunPorts } from '../run-ports.ts';
import { processInputsOf } from './create-run.ts';
import { forkedRun } from './forked-run.ts';
import { rejectedRun, startRun } from './start-run.ts';

/** How a fork starts: with the shared entries, or, when it is queued or rejected, with drafts like any other run. */
export type ForkStart = { readonly shared: readonly Entry[] } | { readonly drafts: readonly EntryDraft[] };

/**
 * Returns the first entries of a run that was submitted with `fork`. Its inputs come from the command, and the
 * installation's defaults from the origin run. The shared entries are replayed with these inputs: if the process would
 * have decided differently, the fork fails before any effect is requested.
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
    return divergence
      ? { drafts: rejectedRun(ports, command, divergentPrefix(problemOf(divergence.error))) }
      : { shared };
  } catch (error) {
    if (!isReinsError(error) || !FORK_ERRORS.has(error.code)) throw error;
    return { drafts: rejectedRun(ports, command, problemOf(error)) };
  }
}

/** The inputs of the command. For a pipeline, they include how the shared stages were run. */
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

/** The part of a corrupted journal that a repair keeps; a fork can share that. */
function readablePart(error: unknown): { readonly entries: readonly Entry[] } {
  if (error instanceof CorruptedJournalError) return error.recovered;
  throw error;
}

/** Permanent errors of the fork itself. */
const FORK_ERRORS: ReadonlySet<string> = new Set([
  ...PROCESS_START_ERRORS,
  'request_not_found',
  'request_invalid',
  'journal_corrupt',
]);

const divergentPrefix = ({ message, path }: Problem): Problem => ({
  code: 'replay_nondeterminism',
  message: `the shared entries do not match the new inputs: ${message}`,
  ...defined({ path }),
  hint: 'Fork at an earlier entry.',
});

/**
 * How the shared stages of a pipeline fork were run, read from their `prepare` and `stage` requests.
 * @param before the inputs of the origin run, used when a `prepare` request is stored as a blob
 */
function sharedStages(
  entries: readonly Entry[],
  before: Pick<PipelineInputs, 'model' | 'thinkingValue'>,
): Readonly<Record<string, SharedStage>> {
  const stages: Record<string, SharedStage> = {};
  const prepared = new Map<unknown, { readonly iteration: number; readonly options: JsonObject }>();
  const fallbacks = new Map<string, number>();
  for (const { type, data } of entries) {
    if (type !== 'EFFECT_REQUESTED') continue;
    const { stage, iteration, input, runtimeId, runtimeSource } = data.request;
    const { stageWork } = effectKind(data.kind);
    if (stageWork === 'preparation')
      prepared.set(stage, {
        iteration: Number(iteration),
        options: modelOptionsIn(isObject(input) ? (input as JsonObject) : { ...before }),
      });
    const known = stageWork === 'run' && prepared.get(stage);
    if (!known) continue;
    const chosen = stageKey(stage as Stage, known.iteration);
    const place = runtimeSource === 'fallback' ? (fallbacks.get(chosen) ?? 0) + 1 : 0;
    fallbacks.set(chosen, place);
    const key = stageKey(stage as Stage, known.iteration, place);
    stages[key] = { ...known.options, runtimeId, runtimeSource } as unknown as SharedStage;
  }
  return stages;
}

const modelOptionsIn = ({ model, thinkingValue }: JsonObject): JsonObject => defined({ model, thinkingValue });
