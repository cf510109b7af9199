import type { EventType, JsonObject } from '@reins/contracts';
import type { EffectState } from '../state/run-state.ts';
import type { Directive } from './directives.ts';

/** A fact without the fields that identify its run, or a directive. */
export type FactDraft = { readonly type: EventType; readonly fields: JsonObject } | Directive;

export const fact = (type: EventType, fields: JsonObject): FactDraft => ({ type, fields });
/** No fact, where the kind has none for this transition. */
export const optional = (type: EventType | undefined, fields: JsonObject): FactDraft[] =>
  type ? [fact(type, fields)] : [];

/** The fields that identify an effect in its facts, taken from its request. */
export function effectIdentity(effect: EffectState, attempt: number = effect.attempt): JsonObject {
  const { effectId, request } = effect;
  if (effect.kind === 'stage') return { effectId, stage: request.stage, runtimeId: request.runtimeId, attempt };
  const named = ['kind', 'taskId', 'label', 'toolId', 'workflowId', 'adapter', 'namespace', 'childRequestId'];
  return {
    effectId,
    ...Object.fromEntries(named.filter((name) => request[name] !== undefined).map((name) => [name, request[name]])),
  };
}
