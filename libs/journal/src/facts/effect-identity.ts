import type { JsonObject } from '@reins/contracts';
import { effectKind } from '../effects/effect-kinds.ts';
import type { EffectState } from '../state/run-state.ts';

/** The fields that identify an effect in its facts, taken from its request. */
export function effectIdentity(effect: EffectState, attempt: number = effect.attempt): JsonObject {
  const { effectId, kind, request } = effect;
  const { identity, reportsAttempts } = effectKind(kind);
  const named = identity.filter((name) => request[name] !== undefined).map((name) => [name, request[name]]);
  return { effectId, ...Object.fromEntries(named), ...(reportsAttempts && { attempt }) };
}
