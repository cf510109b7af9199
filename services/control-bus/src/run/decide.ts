import type { AnyEvent, EventOf, EventType, JsonObject, JsonValue } from '@reins/contracts';
import { type EffectState, type EntryDraft, effectKind, isEnded, type RunState } from '@reins/journal';
import { attemptFailed } from './attempts.ts';
import { cancelAll, cancelNow, cancelRequested, failNow, type ProcessWants } from './cancel.ts';
import { type AnswerHead, answerFields, type Trigger } from './trigger.ts';

/** What a decision depends on beside the run's state and the trigger. */
export interface Circumstances {
  /** By when a question that is asked now must be answered (RFC 3339). */
  readonly answerBy: string;
  readonly waitsFor: ProcessWants['waitsFor'];
}

/**
 * What a trigger makes of a run that exists: the entries to append, none when it changes nothing (late, repeated, or about a
 * run that has ended). Pure: the process is asked afterwards what follows from them.
 */
export function decide(state: RunState, { body, answer }: Trigger, circumstances: Circumstances): EntryDraft[] {
  if (isEnded(state)) return [];
  if (answer) return decideAnswer(state, body, answer, circumstances);
  switch (body.type) {
    case 'command.run.cancel':
      return cancelRequested(state, body);
    case 'command.run.answer':
      return answerQuestion(state, body);
    case 'timer.due':
      return timerDue(state, body, circumstances);
    case 'effect.progress':
      return progress(state, body);
    default:
      return [];
  }
}

/** The effect that a message is about, while it waits for just that attempt; otherwise the message is late. */
function awaited(state: RunState, { effectId, attempt }: AnswerHead): EffectState | undefined {
  const effect = state.effects.get(effectId);
  return effect && state.pending.has(effectId) && effect.attempt === attempt ? effect : undefined;
}

/** A run that is being cancelled makes no further attempt at what its process has let go of. */
const isLetGo = (state: RunState, { effectId }: EffectState, { waitsFor }: Circumstances): boolean =>
  state.cancelRequested !== undefined && !waitsFor(effectId);

function decideAnswer(state: RunState, body: AnyEvent, head: AnswerHead, circumstances: Circumstances): EntryDraft[] {
  const effect = awaited(state, head);
  if (!effect) return [];
  const kind = effectKind(effect.kind);
  const type: EventType = body.type;
  if (type === kind.started) return started(effect, body);
  if (type === kind.completed)
    return [{ type: 'EFFECT_RESOLVED', data: { ...head, status: 'ok', value: answerFields(body) } }];
  if (type === kind.cancelled) return [cancelConfirmed(effect)];
  if (body.type === 'runtime.stage.waiting') return [asks(effect, body.question, circumstances.answerBy)];
  if (type === kind.failed)
    return isLetGo(state, effect, circumstances) ? [cancelConfirmed(effect)] : failed(effect, body);
  return [];
}

function started(effect: EffectState, body: AnyEvent): EntryDraft[] {
  if (effect.status !== 'requested') return [];
  const { hostId, stage, runtimeId, ...value } = answerFields(body);
  const host = typeof hostId === 'string' ? { hostId } : {};
  return [
    {
      type: 'EFFECT_STARTED',
      data: { effectId: effect.effectId, attempt: effect.attempt, ...host, value: { ...host, ...value } },
    },
  ];
}

const asks = (effect: EffectState, question: JsonValue, expiresAt: string): EntryDraft => ({
  type: 'EFFECT_WAITING',
  data: { effectId: effect.effectId, reason: 'user', question, expiresAt },
});

/** A worker's failure. What refuses the plan is final: the same workspace will not compile the next time either. */
function failed(effect: EffectState, body: AnyEvent): EntryDraft[] {
  if (body.type === 'runtime.plan.rejected') return [planRejected(effect, body)];
  const { error, retryable, usage, outcome } = body as EventOf<'runtime.stage.failed'>;
  return attemptFailed(effect, {
    error,
    retryable: retryable ?? false,
    outcome: outcome ?? 'failed',
    ...(usage && { usage }),
  });
}

function planRejected(effect: EffectState, { diagnostics }: EventOf<'runtime.plan.rejected'>): EntryDraft {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const first = errors[0];
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  const error = {
    code: first?.code ?? 'plan_rejected',
    message: first ? `the workspace does not compile: ${first.message}${more}` : 'the workspace does not compile',
    ...(first?.path && { path: first.path }),
    ...(first?.hint && { hint: first.hint }),
  };
  const value: JsonObject = { diagnostics: diagnostics.map((diagnostic) => ({ ...diagnostic })) };
  return {
    type: 'EFFECT_RESOLVED',
    data: { effectId: effect.effectId, attempt: effect.attempt, status: 'error', error, value },
  };
}

const cancelConfirmed = ({ effectId, attempt }: EffectState): EntryDraft => ({
  type: 'EFFECT_CANCELLED',
  data: { effectId, attempt, confirmed: true },
});

function answerQuestion(state: RunState, { effectId, answer }: EventOf<'command.run.answer'>): EntryDraft[] {
  const effect = state.effects.get(effectId);
  return effect?.status === 'waiting' ? [{ type: 'EFFECT_ANSWERED', data: { effectId, answer } }] : [];
}

function progress(state: RunState, { effectId, attempt, percent, label }: EventOf<'effect.progress'>): EntryDraft[] {
  if (!awaited(state, { effectId, attempt })) return [];
  return [
    {
      type: 'EFFECT_PROGRESS',
      data: { effectId, ...(percent !== undefined && { percent }), ...(label !== undefined && { label }) },
    },
  ];
}

/** A deadline has passed. Not begun is a failure; begun and never heard of again is an outcome that nobody knows. */
function timerDue(
  state: RunState,
  { effectId, attempt, timer }: EventOf<'timer.due'>,
  circumstances: Circumstances,
): EntryDraft[] {
  if (timer === 'grace') return state.cancelRequested ? cancelNow(state) : [];
  if (timer === 'expiry' && effectId === state.run.runId)
    return state.processError ? failNow(state, state.processError.error) : [];
  const effect = awaited(state, { effectId, attempt });
  if (!effect) return [];
  if (isLetGo(state, effect, circumstances)) return cancelAll([effect]);
  if (timer === 'expiry' && effect.status === 'waiting') return [nobodyAnswered(effect)];
  if (timer === 'start' && effect.status === 'requested') {
    const message = `no worker began within ${effect.limits.startWithinMs} ms`;
    return attemptFailed(effect, {
      error: { code: 'effect_not_started', message },
      retryable: true,
      outcome: 'failed',
    });
  }
  if (timer === 'run' && effect.status !== 'waiting') {
    const message = `no end was heard of within ${effect.limits.runForMs} ms`;
    return attemptFailed(effect, { error: { code: 'effect_timed_out', message }, retryable: true, outcome: 'unknown' });
  }
  return [];
}

function nobodyAnswered({ effectId, attempt, expiresAt }: EffectState): EntryDraft {
  const error = { code: 'question_expired', message: `nobody answered the question until ${expiresAt}` };
  return { type: 'EFFECT_RESOLVED', data: { effectId, attempt, status: 'error', error, retryable: false } };
}
