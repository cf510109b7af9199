import { defined, type JsonObject, type Problem, ReinsError } from '@reins/contracts';
import { BARE_RUN, effectKind, pendingEffects } from '@reins/journal';
import { pendingByKind, tasksOf } from '@reins/run-directory';
import type { CliContext } from '../context.ts';
import { noProcess } from '../runs/entrypoint.ts';
import {
  type IterationReport,
  type IterationResult,
  type OutcomeSource,
  outcomeReport,
  type RunOutcome,
} from '../runs/iteration-report.ts';
import { withoutFiles } from './inspect.ts';
import { type LoadedRequest, withRequest } from './request-journal.ts';

/**
 * The status of a request and what it waits for, in the form of an iteration report. Changes nothing: the owner of the run iterates it.
 * @throws ReinsError `process_missing` for a run that waits for its process
 */
export function requestIteration(context: CliContext, requestId: string): Promise<IterationReport> {
  return withRequest(context, requestId, async (loaded) => {
    const { entries, run, state } = loaded;
    if (state.process.id === BARE_RUN && !state.end) throw noProcess(requestId);
    const answers = entries.filter(({ type }) => type === 'EFFECT_RESOLVED' || type === 'EFFECT_CANCELLED').length;
    return {
      iteration: answers + 1,
      iterationCount: answers + 1,
      ...(await outcomeOf(loaded)),
      metadata: {
        runId: run.runId,
        processId: state.process.id,
        hookStatus: 'none',
        stateVersion: state.head.version,
        pendingEffectsByKind: pendingByKind(loaded),
        journalHead: { seq: state.head.version, hash: state.head.hash },
        stateRebuilt: false,
        stateRebuildReason: null,
      },
    };
  });
}

async function outcomeOf(loaded: LoadedRequest): Promise<RunOutcome> {
  const { state } = loaded;
  const result = iterationResultOf(loaded);
  const pending = pendingEffects(state);
  // Only the owner of the run executes local steps.
  if (result.outcome === 'waiting' && pending.every(({ kind }) => effectKind(kind).resolvedBy === 'owner'))
    return { status: 'waiting', action: 'waiting', reason: STEPS, count: 0, nextActions: [] };
  const tasks = () => tasksOf(loaded, pending).map(withoutFiles);
  const report = outcomeReport({ metadata: {}, tasks, blobs: await loadedValues(loaded) }, result);
  return state.paused && report.status === 'waiting' ? { ...report, reason: PAUSED } : report;
}

/** Reasons that exist only for requests, whose runs have an owner. */
const STEPS = 'step-pending';
const PAUSED = 'paused';

function iterationResultOf({ entries, state }: LoadedRequest): IterationResult {
  const { end, processError } = state;
  if (end) return { outcome: end.status, state };
  if (!processError) return { outcome: 'waiting', state };
  const { error } = processError;
  if (error.code !== 'replay_nondeterminism') return { outcome: 'broken', state };
  const found = entries.findLast((entry) => entry.type === 'PROCESS_RUNTIME_ERROR');
  const { effectId, expected = null, actual = null } = found?.type === 'PROCESS_RUNTIME_ERROR' ? found.data : {};
  const about = { ...defined({ effectId }), expected, actual };
  return { outcome: 'diverged', state, divergence: { ...about, error: new ReinsError(error as Problem) } };
}

/** Loads the requests that the journal stores by reference. */
async function loadedValues({ state, values }: LoadedRequest): Promise<OutcomeSource['blobs']> {
  const requests = new Map<string, JsonObject>();
  for (const { requestRef } of pendingEffects(state))
    if (requestRef) requests.set(requestRef.sha256, (await values.get(requestRef)) as JsonObject);
  return {
    requestOf: ({ request, requestRef }) => (requestRef && requests.get(requestRef.sha256)) ?? request,
    outputOf: ({ end }) => (end?.status === 'completed' ? end.output : null),
  };
}
