import { defined, type EventOf, type JsonObject, type JsonValue, ReinsError } from '@reins/contracts';
import {
  DECISION_FORM,
  type EffectState,
  type EntryDraft,
  effectKind,
  givenDecision,
  pendingEffects,
  type RunState,
} from '@reins/journal';
import { deadlineEntries } from '@reins/replay';

/** Resolves a breakpoint or an approval with a person's decision. Returns no entries when it is no longer pending. */
export function approvalResolved(
  state: RunState,
  { approvalId, decision, decidedBy, comment }: EventOf<'command.approval.resolve'>,
): EntryDraft[] {
  const effect = pendingEffects(state).find(
    (pending) => isApproval(pending) && pending.request.approvalId === approvalId,
  );
  if (!effect) return [];
  const comments = comment === undefined ? {} : { response: comment, feedback: comment };
  const value = { approved: decision === 'approved', respondedBy: decidedBy, ...comments };
  return decisionDrafts(effect, { decision, decidedBy, ...defined({ comment }) }, value);
}

/**
 * Resolves a breakpoint that was answered like a question. The record and the value of the process are one decision.
 * @throws ReinsError `answer_invalid` if the answer is not a decision; the breakpoint stays pending
 */
export function approvalAnswered(
  effect: EffectState,
  answer: JsonValue | undefined,
  answeredBy = 'unknown',
): EntryDraft[] {
  const given = givenDecision(answer);
  if (!given) throw notADecision(effect);
  const { decision, feedback, respondedBy, value } = given;
  const decidedBy = respondedBy === undefined ? answeredBy : `${respondedBy} (${answeredBy})`;
  const texts = feedback === undefined ? {} : { response: feedback, feedback };
  const comment = feedback === undefined ? {} : { comment: feedback };
  return decisionDrafts(effect, { decision, decidedBy, ...comment }, { ...texts, ...value, respondedBy: decidedBy });
}

export function approvalExpired(effect: EffectState): EntryDraft[] {
  const expired: EntryDraft = {
    type: 'APPROVAL_RESOLVED',
    data: { ...approvalOf(effect), decision: 'expired', decidedBy: '' },
  };
  return [expired, ...deadlineEntries(effect, 'expiry')];
}

export const isApproval = ({ kind }: EffectState): boolean => effectKind(kind).resolvedBy === 'decision';

function decisionDrafts(
  effect: EffectState,
  decision: { decision: 'approved' | 'denied'; decidedBy: string; comment?: string },
  value: JsonObject,
): EntryDraft[] {
  const { effectId, attempt } = effect;
  return [
    { type: 'APPROVAL_RESOLVED', data: { ...approvalOf(effect), ...decision } },
    { type: 'EFFECT_RESOLVED', data: { effectId, attempt, status: 'ok', value } },
  ];
}

const approvalOf = ({ effectId, request }: EffectState) => ({
  approvalId: String(request.approvalId ?? effectId),
  effectId,
});

const notADecision = ({ effectId, kind }: EffectState): ReinsError =>
  new ReinsError({
    code: 'answer_invalid',
    message: `the answer to ${kind} ${effectId} is not a decision`,
    path: 'answer',
    hint: `Answer with ${DECISION_FORM}.`,
  });
