import type { EventType, JsonObject } from '@reins/contracts';
import type { EffectState } from '../state/run-state.ts';
import type { Directive } from './directives.ts';

/** A fact without the head that every event has; or a directive. */
export type Told = { readonly type: EventType; readonly fields: JsonObject } | Directive;

export const fact = (type: EventType, fields: JsonObject): Told => ({ type, fields });
/** Nothing, where a kind has no fact for the moment. */
export const optional = (type: EventType | undefined, fields: JsonObject): Told[] => (type ? [fact(type, fields)] : []);

/** The fields by which facts of an effect are told apart, from what was asked for. */
export function identity(effect: EffectState, attempt: number = effect.attempt): JsonObject {
  const { effectId, request } = effect;
  if (effect.kind === 'stage') return { effectId, stage: request.stage, runtimeId: request.runtimeId, attempt };
  const named = ['kind', 'taskId', 'label', 'toolId', 'workflowId', 'adapter', 'namespace', 'childRequestId'];
  return {
    effectId,
    ...Object.fromEntries(named.filter((name) => request[name] !== undefined).map((name) => [name, request[name]])),
  };
}
