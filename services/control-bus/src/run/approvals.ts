import type { EventOf, JsonValue } from '@reins/contracts';
import { isObject } from '@reins/contracts';
import { type EffectState, type EntryDraft, pendingEffects, type RunState } from '@reins/journal';
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
  return decisionDrafts(effect, { decision, decidedBy, ...(comment !== undefined && { comment }) }, value);
}

/** Resolves a breakpoint that was answered like a question: the process receives the answer unchanged. */

export function approvalAnswered(effect: EffectState, answer: JsonValue, decidedBy = 'unknown'): EntryDraft[] {
  const decision = isObject(answer) && answer.approved === false ? 'denied' : 'approved';
  return decisionDrafts(effect, { decision, decidedBy }, answer);
}

export function approvalExpired(effect: EffectState): EntryDraft[] {
  const expired: EntryDraft = {
    type: 'APPROVAL_RESOLVED',
    data: { ...approvalOf(effect), decision: 'expired', decidedBy: '' },
  };
  return [expired, ...deadlineEntries(effect, 'expiry')];
}

export const isApproval = ({ kind }: EffectState): boolean => kind === 'breakpoint' || kind === 'approval';

function decisionDrafts(
  effect: EffectState,
  decision: { decision: 'approved' | 'denied'; decidedBy: string; comment?: string },
  value: JsonValue,
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
