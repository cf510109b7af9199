import { type JsonObject, type Problem, ReinsError } from '@reins/contracts';
import { BARE_RUN, pendingEffects } from '@reins/journal';
import { pendingByKind, tasksOf } from '@reins/journal/rundir';
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
import { type RequestReading, withRequest } from './request-journal.ts';

/**
 * How a request stands, and what it waits for, as an iteration of a run directory tells it. Its owner iterates it by itself, whenever something
 * comes: nothing is done here.
 * @throws ReinsError `process_missing` for a run that waits for its process
 */
export function requestIteration(context: CliContext, requestId: string): Promise<IterationReport> {
  return withRequest(context, requestId, async (reading) => {
    const { entries, run, state } = reading;
    if (state.process.id === BARE_RUN && !state.end) throw noProcess(requestId);
    const answers = entries.filter(({ type }) => type === 'EFFECT_RESOLVED' || type === 'EFFECT_CANCELLED').length;
    return {
      iteration: answers + 1,
      iterationCount: answers + 1,
      ...(await standing(reading)),
      metadata: {
        runId: run.runId,
        processId: state.process.id,
        hookStatus: 'none',
        stateVersion: state.head.version,
        pendingEffectsByKind: pendingByKind(reading),
        journalHead: { seq: state.head.version, hash: state.head.hash },
        stateRebuilt: false,
        stateRebuildReason: null,
      },
    };
  });
}

async function standing(reading: RequestReading): Promise<RunOutcome> {
  const { state } = reading;
  const iterated = iteratedAs(reading);
  const pending = pendingEffects(state);
  // Local steps are its owner's: it is at them now.
  if (iterated.standing === 'waiting' && pending.every(({ kind }) => kind === 'step'))
    return { status: 'waiting', action: 'waiting', reason: STEPS, count: 0, nextActions: [] };
  const tasks = () => tasksOf(reading, pending).map(withoutFiles);
  const report = outcomeReport({ metadata: {}, tasks, blobs: await inMemory(reading) }, iterated);
  return state.paused && report.status === 'waiting' ? { ...report, reason: PAUSED } : report;
}

/** Reasons that only a run with an owner has. */
const STEPS = 'step-pending';
const PAUSED = 'paused';

function iteratedAs({ entries, state }: RequestReading): IterationResult {
  const { end, processError } = state;
  if (end) return { standing: end.status, state };
  if (!processError) return { standing: 'waiting', state };
  const { error } = processError;
  if (error.code !== 'replay_nondeterminism') return { standing: 'broken', state };
  const found = entries.findLast((entry) => entry.type === 'PROCESS_RUNTIME_ERROR');
  const { effectId, expected = null, actual = null } = found?.type === 'PROCESS_RUNTIME_ERROR' ? found.data : {};
  const about = { ...(effectId !== undefined && { effectId }), expected, actual };
  return { standing: 'diverged', state, divergence: { ...about, error: new ReinsError(error as Problem) } };
}

/** What is shown of it, whole: of a large request the journal has a reference. */
async function inMemory({ state, values }: RequestReading): Promise<OutcomeSource['blobs']> {
  const requests = new Map<string, JsonObject>();
  for (const { requestRef } of pendingEffects(state))
    if (requestRef) requests.set(requestRef.sha256, (await values.get(requestRef)) as JsonObject);
  return {
    requestOf: ({ request, requestRef }) => (requestRef && requests.get(requestRef.sha256)) ?? request,
    outputOf: ({ end }) => (end?.status === 'completed' ? end.output : null),
  };
}
