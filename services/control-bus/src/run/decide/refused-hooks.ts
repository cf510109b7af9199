import { isObject } from '@reins/contracts';
import { type EntryDraft, isHook } from '@reins/journal';

/**
 * Rejects the hooks that a process requested in these drafts and did not cancel: one error result for each. Requests
 * have no runner for hooks, so a hook would only wait for its timeout. Pure.
 */
export function refusedHooks(drafts: readonly EntryDraft[]): EntryDraft[] {
  const cancelled = new Set(drafts.flatMap(({ type, data }) => (type === 'EFFECT_CANCELLED' ? [data.effectId] : [])));
  return drafts.flatMap((draft) =>
    draft.type === 'EFFECT_REQUESTED' && isHook(draft.data) && !cancelled.has(draft.data.effectId)
      ? [refused(draft)]
      : [],
  );
}

function refused({ data }: EntryDraft<'EFFECT_REQUESTED'>): EntryDraft<'EFFECT_RESOLVED'> {
  const { effectId, attempt, request } = data;
  const { type = request.label } = isObject(request.args) ? request.args : {};
  const error = {
    code: 'hook_runner_missing',
    message: `no runner exists for the hook ${JSON.stringify(type)}`,
    hint: 'Use ctx.task or ctx.step in a request instead of ctx.hook.',
  };
  return { type: 'EFFECT_RESOLVED', data: { effectId, attempt, status: 'error', error, retryable: false } };
}
