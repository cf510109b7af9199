import type { JsonObject } from '@reins/contracts';
import type { EffectState } from '../state/run-state.ts';

/**
 * The fields of the fact that requests an effect. Work for a worker has its attempt; tasks and stages also have the
 * deadline of the attempt.
 * @param at when the effect was requested (RFC 3339)
 */
export function requestFields(
  {
    effectId,
    attempt,
    kind,
    limits,
    request,
  }: Pick<EffectState, 'effectId' | 'attempt' | 'kind' | 'limits' | 'request'>,
  at: string,
): JsonObject {
  if (kind === 'breakpoint' || kind === 'approval') return { ...request, effectId };
  if (kind === 'task')
    return { ...request, effectId, attempt, deadline: new Date(Date.parse(at) + limits.runForMs).toISOString() };
  if (kind !== 'stage') return { ...request, effectId, attempt };
  const { prepareForMs = 0, runForMs, startWithinMs } = limits;
  const deadline = new Date(Date.parse(at) + startWithinMs + prepareForMs + runForMs).toISOString();
  return { ...request, effectId, attempt, deadline, limits: { ...limits } };
}
