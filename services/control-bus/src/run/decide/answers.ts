import type { AnyEvent, EventOf, EventType, JsonObject } from '@reins/contracts';
import { type EffectState, type EntryDraft, effectKind, type RunState } from '@reins/journal';
import { attemptFailed } from '@reins/replay';
import { awaitedEffect, type DecisionContext, isAbandoned } from './decision-context.ts';
import { type AnswerHead, answerFields } from './trigger.ts';

/** Maps a worker's answer to entries. Pure. Returns none for a late answer. */
export function decideAnswer(
  state: RunState,
  body: AnyEvent,
  head: AnswerHead,
  context: DecisionContext,
): EntryDraft[] {
  const { effectId, attempt, resumption = 0 } = head;
  const effect = awaitedEffect(state, head);
  // A host that asked a question may repeat it, also after the stage has continued.
  if (!effect || effect.suspended || (effect.resumptions ?? 0) !== resumption) return [];
  const { facts } = effectKind(effect.kind);
  const type: EventType = body.type;
  if (type === facts.claimed) return effectClaimed(effect, body);
  if (type === facts.started) return effectStarted(effect, body);
  if (type === facts.completed)
    return [{ type: 'EFFECT_RESOLVED', data: { effectId, attempt, status: 'ok', value: answerFields(body) } }];
  if (type === facts.cancelled) return [cancelConfirmed(effect)];
  if (body.type === 'runtime.stage.waiting') return waitingForAnswer(state, body, context.answerBy);
  if (type === facts.failed)
    return isAbandoned(state, effect, context) ? [cancelConfirmed(effect)] : effectFailed(effect, body);
  return [];
}

function effectClaimed(effect: EffectState, body: AnyEvent): EntryDraft[] {
  const { hostId } = answerFields(body);
  return typeof hostId === 'string' ? claimedBy(effect, hostId) : [];
}

/** Records that a host claimed the attempt, unless a later step of it is known already. */
export function claimedBy({ attempt, effectId, status }: EffectState, hostId: string): EntryDraft[] {
  return status === 'requested' ? [{ type: 'EFFECT_CLAIMED', data: { effectId, attempt, hostId } }] : [];
}

function effectStarted(effect: EffectState, body: AnyEvent): EntryDraft[] {
  if (effect.status !== 'requested' && effect.status !== 'claimed') return [];
  const { hostId, stage, runtimeId, ...value } = answerFields(body);
  const host = typeof hostId === 'string' ? { hostId } : {};
  return [
    {
      type: 'EFFECT_STARTED',
      data: { effectId: effect.effectId, attempt: effect.attempt, ...host, value: { ...host, ...value } },
    },
  ];
}

function waitingForAnswer(
  { questions = 0 }: RunState,
  { effectId, question, suspended, usage }: EventOf<'runtime.stage.waiting'>,
  expiresAt: string,
): EntryDraft[] {
  const questionNumber = questions + 1;
  const data = { effectId, reason: 'user', subject: effectId, question, questionNumber, expiresAt } as const;
  return [{ type: 'EFFECT_WAITING', data: { ...data, ...(suspended && { suspended }), ...(usage && { usage }) } }];
}

/** A worker's failure. A rejected plan is final, because the same workspace does not compile the next time either. */
function effectFailed(effect: EffectState, body: AnyEvent): EntryDraft[] {
  if (body.type === 'runtime.plan.rejected') return [planRejected(effect, body)];
  const { error, retryable, usage, outcome } = body as EventOf<'runtime.stage.failed'>;
  const { problems } = body as EventOf<'runtime.prepare.failed'>;
  return attemptFailed(effect, {
    error,
    retryable: retryable ?? false,
    outcome: outcome ?? 'failed',
    ...(usage && { usage }),
    ...(problems && { problems }),
  });
}

function planRejected(effect: EffectState, { diagnostics }: EventOf<'runtime.plan.rejected'>): EntryDraft {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const first = errors[0];
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  const failure = first?.code === 'agent_unknown' ? '' : 'the workspace does not compile: ';
  const error = {
    code: first?.code ?? 'plan_rejected',
    message: first ? `${failure}${first.message}${more}` : 'the workspace does not compile',
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
