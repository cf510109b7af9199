import type { Entry } from '../entries/entry.ts';
import type { EffectState, RunState } from './run-state.ts';

/**
 * What is wrong with an entry as the next one of this run, in plain words; undefined when it may stand there. Looks at place and
 * causality: gapless and chained, the run's creation first and once, a request before what follows from it, one result per
 * effect, nothing after the end but the archive's stub.
 */
export function wrongAsNext(state: RunState, entry: Entry): string | undefined {
  return wrongPlace(state, entry) ?? wrongMoment(state, entry) ?? wrongEffect(state, entry);
}

/** A journal may begin with the stub that stands for its archived entries. */
const isStub = (state: RunState, entry: Entry): boolean => state.head.version === 0 && entry.type === 'RUN_ARCHIVED';

function wrongPlace(state: RunState, entry: Entry): string | undefined {
  if (isStub(state, entry)) return undefined;
  if (entry.version !== state.head.version + 1)
    return `its version is ${entry.version}, and the one before is ${state.head.version}`;
  if (entry.prev !== state.head.hash) return 'it does not continue the hash of the entry before';
  return undefined;
}

function wrongMoment(state: RunState, entry: Entry): string | undefined {
  if (entry.type === 'RUN_ARCHIVED') return wrongStub(state, entry);
  if (state.archive) return 'the run was archived before';
  if (state.end) return `the run had already ended (${state.end.status})`;
  if (entry.type === 'RUN_CREATED') return state.head.version > 0 ? 'the run exists already' : wrongOwner(state, entry);
  return state.head.version === 0 ? 'a journal begins with RUN_CREATED' : undefined;
}

function wrongStub(state: RunState, entry: Entry<'RUN_ARCHIVED'>): string | undefined {
  if (state.archive) return 'the run was archived before';
  if (entry.data.headHash !== entry.prev) return 'it does not name the hash of the entry before';
  if (state.head.version === 0) return undefined;
  if (!state.end) return 'the run has not ended';
  return entry.data.terminalType === `RUN_${state.end.status.toUpperCase()}`
    ? undefined
    : `it says ${entry.data.terminalType}, and the run is ${state.end.status}`;
}

function wrongOwner({ run }: RunState, { data }: Entry<'RUN_CREATED'>): string | undefined {
  return data.workspaceId === run.workspaceId
    ? undefined
    : `it belongs to workspace ${data.workspaceId}, not to ${run.workspaceId}`;
}

function wrongEffect(state: RunState, entry: Entry): string | undefined {
  switch (entry.type) {
    case 'EFFECT_REQUESTED':
      return state.effects.has(entry.data.effectId) ? `effect ${entry.data.effectId} was requested before` : undefined;
    case 'EFFECT_PROGRESS':
    case 'COST_TRACKED':
      return state.effects.has(entry.data.effectId) ? undefined : neverRequested(entry.data.effectId);
    case 'EFFECT_INVALIDATED':
      return wrongInvalidation(state, entry.data.effectId);
    case 'EFFECT_STARTED':
    case 'EFFECT_CANCELLED':
      return wrongAttempt(state, entry.data);
    case 'EFFECT_RESOLVED':
      return wrongAttempt(state, entry.data) ?? wrongResult(entry);
    case 'EFFECT_ATTEMPT_FAILED':
      return wrongAttempt(state, entry.data) ?? wrongNextAttempt(entry);
    case 'EFFECT_WAITING':
      return wrongOpen(state, entry.data.effectId);
    case 'EFFECT_ANSWERED':
      return wrongOpen(state, entry.data.effectId) ?? wrongAnswer(state, entry);
    case 'SIGNAL_RECEIVED':
    case 'APPROVAL_RESOLVED':
      return entry.data.effectId === undefined ? undefined : wrongOpen(state, entry.data.effectId);
    default:
      return undefined;
  }
}

const neverRequested = (effectId: string): string => `effect ${effectId} was never requested`;

function wrongInvalidation(state: RunState, effectId: string): string | undefined {
  const effect = state.effects.get(effectId);
  if (!effect) return neverRequested(effectId);
  return effect.requestedVersion < state.assignedVersion
    ? `effect ${effectId} was asked for before the process was started anew`
    : undefined;
}

/** The effect must be known and without a result. */
function wrongOpen(state: RunState, effectId: string): string | undefined {
  const effect = state.effects.get(effectId);
  if (!effect) return neverRequested(effectId);
  return state.pending.has(effectId) ? undefined : `effect ${effectId} is ${effect.status} already`;
}

function wrongAttempt(
  state: RunState,
  { effectId, attempt }: { readonly effectId: string; readonly attempt: number },
): string | undefined {
  const closed = wrongOpen(state, effectId);
  if (closed) return closed;
  const current = (state.effects.get(effectId) as EffectState).attempt;
  return attempt === current
    ? undefined
    : `it is about attempt ${attempt} of effect ${effectId}, which is at attempt ${current}`;
}

function wrongResult({ data }: Entry<'EFFECT_RESOLVED'>): string | undefined {
  if (data.status === 'error' && !data.error) return 'an error without its error';
  if (data.status === 'ok' && data.error) return 'a success with an error';
  return undefined;
}

function wrongNextAttempt({ data }: Entry<'EFFECT_ATTEMPT_FAILED'>): string | undefined {
  const { attempt, nextAttempt } = data;
  return nextAttempt === undefined || nextAttempt === attempt + 1
    ? undefined
    : `attempt ${nextAttempt} cannot follow attempt ${attempt}`;
}

function wrongAnswer(state: RunState, { data }: Entry<'EFFECT_ANSWERED'>): string | undefined {
  const { status } = state.effects.get(data.effectId) as EffectState;
  return status === 'waiting' ? undefined : `effect ${data.effectId} asks nothing`;
}
