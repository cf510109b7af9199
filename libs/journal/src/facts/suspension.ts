import { defined, type JsonObject } from '@reins/contracts';
import type { Entry } from '../entries/entry.ts';
import type { RunState } from '../state/run-state.ts';
import { runDirective } from './directives.ts';
import { type FactDraft, fact } from './fact-draft.ts';
import { waitingFact } from './wait-facts.ts';

/**
 * The run no longer waits for this effect. Publishes one remaining wait again, because readers keep only the latest.
 */
export function runResumed(state: RunState, effectId: string, why: string, extra?: JsonObject): FactDraft[] {
  return [
    fact('runtime.request.resumed', { effectId }),
    runDirective(state, 'continue', why, defined({ extra })),
    ...stillWaiting(state, effectId),
  ];
}

function stillWaiting(state: RunState, ended: string): FactDraft[] {
  for (const [effectId, reason] of state.waiting) {
    // A run that was paused before it had a process waits for its process again.
    if (effectId === ended && reason !== 'process') continue;
    return [waitingFact(state, { reason, effectId, expiresAt: expiryOf(state, effectId) })];
  }
  return [];
}

/** A process was assigned to a run that waited for one. An assignment to a running run has no facts. */
export function processAssigned(state: RunState, { data }: Entry<'PROCESS_ASSIGNED'>): FactDraft[] {
  if (!state.assignedWhileWaiting || state.paused) return [];
  const why = data.reason ?? `process ${data.process.id} was assigned to the run`;
  return runResumed(state, state.run.runId, why, { process: data.process.id, ...assigner(data) });
}

/** A run whose process had failed got corrected code. Code that changed with the installation has no facts. */
export function codeCorrected(state: RunState, { data }: Entry<'PROCESS_CODE_CHANGED'>): FactDraft[] {
  if (data.revision === undefined || !state.assignedWhileWaiting || state.paused) return [];
  const why = data.reason ?? 'the process got corrected code';
  return runResumed(state, state.run.runId, why, { process: state.process.id, corrected: true, ...assigner(data) });
}

/** Who assigned a process or its code, and why. */
const assigner = ({ requestedBy, reason }: { readonly requestedBy?: string; readonly reason?: string }): JsonObject =>
  defined({ requested_by: requestedBy, reason });

/** A run without a process waits for one, until the time by which it must be assigned. */
export function processMissing(state: RunState): FactDraft[] {
  const { assignBy, paused, run } = state;
  if (assignBy === undefined || paused) return [];
  return [
    waitingFact(state, { reason: 'process', effectId: run.runId, expiresAt: assignBy }),
    runDirective(state, 'wait', 'the run has no process yet'),
  ];
}

function expiryOf({ run, effects, assignBy, processError }: RunState, effectId: string): string | undefined {
  if (effectId === run.runId) return processError?.expiresAt ?? assignBy;
  const effect = effects.get(effectId);
  const asked = effect?.request.expiresAt;
  return typeof asked === 'string' ? asked : effect?.expiresAt;
}
