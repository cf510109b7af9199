import type { Entry } from '../entries/entry.ts';
import type { EffectState, RunState } from './run-state.ts';

/**
 * Checks whether an entry can be the next one of this run. It must have the next version and continue the hash chain.
 * Causality: the run is created first and once, an effect is requested before other entries about it, it has one
 * result, and only the archive stub follows the end.
 * @returns the problem; undefined when the entry is valid
 */
export function validateNextEntry(state: RunState, entry: Entry): string | undefined {
  return positionProblem(state, entry) ?? orderProblem(state, entry) ?? effectProblem(state, entry);
}

/** The first entry of a journal may be the stub that replaces its archived entries. */
const isStub = (state: RunState, entry: Entry): boolean => state.head.version === 0 && entry.type === 'RUN_ARCHIVED';

function positionProblem(state: RunState, entry: Entry): string | undefined {
  if (isStub(state, entry)) return undefined;
  if (entry.version !== state.head.version + 1)
    return `its version is ${entry.version}, but the previous version is ${state.head.version}`;
  if (entry.prev !== state.head.hash) return 'its prev is not the hash of the previous entry';
  return undefined;
}

function orderProblem(state: RunState, entry: Entry): string | undefined {
  if (entry.type === 'RUN_ARCHIVED') return stubProblem(state, entry);
  if (state.archive) return 'the run is already archived';
  if (state.end) return `the run has already ended (${state.end.status})`;
  if (entry.type === 'RUN_CREATED')
    return state.head.version > 0 ? 'the run already exists' : ownerProblem(state, entry);
  return state.head.version === 0 ? 'the first entry must be RUN_CREATED' : undefined;
}

function stubProblem(state: RunState, entry: Entry<'RUN_ARCHIVED'>): string | undefined {
  if (state.archive) return 'the run is already archived';
  if (entry.data.headHash !== entry.prev) return 'its headHash is not the hash of the previous entry';
  if (state.head.version === 0) return undefined;
  if (!state.end) return 'the run has not ended';
  return entry.data.terminalType === `RUN_${state.end.status.toUpperCase()}`
    ? undefined
    : `its terminalType is ${entry.data.terminalType}, but the run is ${state.end.status}`;
}

function ownerProblem({ run }: RunState, { data }: Entry<'RUN_CREATED'>): string | undefined {
  return data.workspaceId === run.workspaceId
    ? undefined
    : `it belongs to workspace ${data.workspaceId}, not to ${run.workspaceId}`;
}

function effectProblem(state: RunState, entry: Entry): string | undefined {
  switch (entry.type) {
    case 'EFFECT_REQUESTED':
      return state.effects.has(entry.data.effectId) ? `effect ${entry.data.effectId} was already requested` : undefined;
    case 'EFFECT_PROGRESS':
    case 'COST_TRACKED':
      return state.effects.has(entry.data.effectId) ? undefined : neverRequested(entry.data.effectId);
    case 'EFFECT_INVALIDATED':
      return invalidationProblem(state, entry.data.effectId);
    case 'EFFECT_CLAIMED':
      return attemptProblem(state, entry.data) ?? claimProblem(state, entry);
    case 'EFFECT_STARTED':
    case 'EFFECT_CANCELLED':
      return attemptProblem(state, entry.data);
    case 'EFFECT_RESOLVED':
      return attemptProblem(state, entry.data) ?? resultProblem(entry);
    case 'EFFECT_ATTEMPT_FAILED':
      return attemptProblem(state, entry.data) ?? nextAttemptProblem(entry);
    case 'EFFECT_WAITING':
      return openEffectProblem(state, entry.data.effectId);
    case 'EFFECT_ANSWERED':
      return openEffectProblem(state, entry.data.effectId) ?? answerProblem(state, entry);
    case 'SIGNAL_RECEIVED':
    case 'APPROVAL_RESOLVED':
      return entry.data.effectId === undefined ? undefined : openEffectProblem(state, entry.data.effectId);
    default:
      return undefined;
  }
}

const neverRequested = (effectId: string): string => `effect ${effectId} was never requested`;

function invalidationProblem(state: RunState, effectId: string): string | undefined {
  const effect = state.effects.get(effectId);
  if (!effect) return neverRequested(effectId);
  return effect.requestedVersion < state.assignedVersion
    ? `effect ${effectId} was requested before the process last started`
    : undefined;
}

/** The effect must exist and have no result yet. */
function openEffectProblem(state: RunState, effectId: string): string | undefined {
  const effect = state.effects.get(effectId);
  if (!effect) return neverRequested(effectId);
  return state.pending.has(effectId) ? undefined : `effect ${effectId} is already ${effect.status}`;
}

function attemptProblem(
  state: RunState,
  { effectId, attempt }: { readonly effectId: string; readonly attempt: number },
): string | undefined {
  const closed = openEffectProblem(state, effectId);
  if (closed) return closed;
  const current = (state.effects.get(effectId) as EffectState).attempt;
  return attempt === current
    ? undefined
    : `it is about attempt ${attempt} of effect ${effectId}, which is at attempt ${current}`;
}

function claimProblem(state: RunState, { data }: Entry<'EFFECT_CLAIMED'>): string | undefined {
  const { status } = state.effects.get(data.effectId) as EffectState;
  return status === 'requested' ? undefined : `effect ${data.effectId} is already ${status}`;
}

function resultProblem({ data }: Entry<'EFFECT_RESOLVED'>): string | undefined {
  if (data.status === 'error' && !data.error) return 'its status is error, but it has no error';
  if (data.status === 'ok' && data.error) return 'its status is ok, but it has an error';
  return undefined;
}

function nextAttemptProblem({ data }: Entry<'EFFECT_ATTEMPT_FAILED'>): string | undefined {
  const { attempt, nextAttempt } = data;
  return nextAttempt === undefined || nextAttempt === attempt + 1
    ? undefined
    : `attempt ${nextAttempt} cannot follow attempt ${attempt}`;
}

function answerProblem(state: RunState, { data }: Entry<'EFFECT_ANSWERED'>): string | undefined {
  const { status } = state.effects.get(data.effectId) as EffectState;
  return status === 'waiting' ? undefined : `effect ${data.effectId} is not waiting for an answer`;
}
