import type { Entry } from '../entries/entry.ts';
import type { RunState } from '../state/run-state.ts';
import { runDirective } from './directives.ts';
import { fact, type Told } from './told.ts';

/** The run does not wait for this any more. What it waits for beside it is told once more: whoever reads along knows the last wait only. */
export function resumed(state: RunState, effectId: string, why: string): Told[] {
  return [
    fact('runtime.request.resumed', { effectId }),
    runDirective(state, 'continue', why),
    ...stillWaiting(state, effectId),
  ];
}

function stillWaiting(state: RunState, ended: string): Told[] {
  for (const [effectId, reason] of state.waiting) {
    // A run that was paused before it had a process waits for that again.
    if (effectId === ended && reason !== 'process') continue;
    const expiresAt = expiryOf(state, effectId);
    return [fact('runtime.request.waiting', { reason, effectId, ...(expiresAt !== undefined && { expiresAt }) })];
  }
  return [];
}

/** A process ends what the run itself waited for before. That it began anew, or took the place of another one, is nobody's concern. */
export function hasProcess(state: RunState, { data }: Entry<'PROCESS_ASSIGNED'>): Told[] {
  if (!state.assignedWhileStill || state.paused) return [];
  return resumed(state, state.run.runId, data.reason ?? `the run has the process ${data.process.id}`);
}

/** A run without a process says so, and by when it must be given one. */
export function waitsForProcess(state: RunState): Told[] {
  const { assignBy, paused, run } = state;
  if (assignBy === undefined || paused) return [];
  return [
    fact('runtime.request.waiting', { reason: 'process', effectId: run.runId, expiresAt: assignBy }),
    runDirective(state, 'wait', 'the run has no process yet'),
  ];
}

function expiryOf({ run, effects, assignBy, processError }: RunState, effectId: string): string | undefined {
  if (effectId === run.runId) return processError?.expiresAt ?? assignBy;
  const effect = effects.get(effectId);
  const asked = effect?.request.expiresAt;
  return typeof asked === 'string' ? asked : effect?.expiresAt;
}
