import type { AnyEvent, JsonObject } from '@reins/contracts';
import { isEnded, type RunState } from '@reins/journal';

/**
 * Whether the run still needs the answer to a request. If not, no worker may perform it again: claims, which prevent
 * that, are not kept for ever.
 */
export function isAnswerNeeded(state: RunState, body: AnyEvent): boolean {
  const { effectId, attempt, resume } = body as unknown as JsonObject & {
    readonly resume?: { readonly number: number };
  };
  const effect = typeof effectId === 'string' ? state.effects.get(effectId) : undefined;
  if (!effect || isEnded(state) || effect.suspended) return false;
  if (effect.status === 'resolved' || effect.status === 'cancelled') return false;
  const isCurrent = attempt === undefined || attempt === effect.attempt;
  return isCurrent && (resume?.number ?? 0) === (effect.resumptions ?? 0);
}
