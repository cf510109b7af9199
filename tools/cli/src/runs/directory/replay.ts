import { isReinsError } from '@reins/contracts';
import { type Entry, foldRun, pendingEffects, type RunState } from '@reins/journal';
import { replayEach } from '@reins/replay';
import { type LoadedRun, readRun, runStatusOf } from '@reins/run-directory';
import type { CliContext } from '../../context.ts';
import type { ReplayFlags } from '../flags.ts';
import type { RunHandle } from '../locate.ts';
import { firstEntries, type ReplayResult } from '../replay-result.ts';
import { definitionOf, openOptions } from './iterate.ts';
import { directoryProblems } from './maintenance.ts';

/** Replays the process of a run directory over its journal. */
export async function replayDirectory(
  context: CliContext,
  handle: RunHandle,
  flags: ReplayFlags,
): Promise<ReplayResult> {
  const loaded = await readRun(handle.store, handle.run);
  const entries = firstEntries(loaded.entries, flags);
  const state = foldRun(handle.run, entries);
  const definition = await definitionOf(context, handle, { state, entries });
  const recorded = { ...openOptions(handle, entries), entries, everyStart: true };
  const replay = await replayEach({ ...recorded, definition }, (...before) =>
    earlierProcess(context, handle, ...before),
  );
  const problems = flags.verify ? await directoryProblems(handle) : [];
  const whole = { ...replay, state: withOutput(replay.state, loaded) };
  const { state: status } = runStatusOf(whole, pendingEffects(state).length);
  return { runId: handle.run.runId, to: entries.length, replay: whole, status, ofBroken: 'failed', problems };
}

/** Loads an earlier process of the run; undefined if its code has changed or is missing. */
async function earlierProcess(context: CliContext, handle: RunHandle, state: RunState, entries: readonly Entry[]) {
  try {
    const definition = await definitionOf(context, handle, { state, entries }, { isExact: true });
    return definition.codeHash === state.process.codeHash ? definition : undefined;
  } catch (error) {
    if (isReinsError(error)) return undefined;
    throw error;
  }
}

const withOutput = (state: RunState, { blobs }: LoadedRun): RunState =>
  state.end?.status === 'completed' ? { ...state, end: { ...state.end, output: blobs.outputOf(state) } } : state;
