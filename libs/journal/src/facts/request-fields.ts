import type { JsonObject } from '@reins/contracts';
import { effectKind } from '../effects/effect-kinds.ts';
import type { EffectState } from '../state/run-state.ts';

type Requested = Pick<EffectState, 'effectId' | 'attempt' | 'kind' | 'limits' | 'request'>;

/**
 * The fields of the fact that requests an effect: those of the request, and those that the kind adds.
 * @param at when the effect was requested (RFC 3339)
 */
export function requestFields({ effectId, kind, request, ...effect }: Requested, at: string): JsonObject {
  const { requestedFields = ({ attempt }) => ({ attempt }) } = effectKind(kind);
  return { ...request, effectId, ...requestedFields(effect, at) };
}
