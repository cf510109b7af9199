import { type EntryData, type ErrorInfo, isObject, type JsonObject, type JsonValue } from '@reins/contracts';
import type { EffectState } from '@reins/journal';

/** What somebody posted for an effect. */
export type Posted =
  | { readonly status: 'ok'; readonly value: JsonValue; readonly facts?: JsonObject }
  | { readonly status: 'error'; readonly error: ErrorInfo; readonly details?: JsonObject; readonly facts?: JsonObject };

/**
 * The result of an effect. A task's answer has the fields of its fact, so what came with it (`facts`: where its output lies) stands beside
 * the value; what is posted for a child run is its output; every other kind's is what was posted.
 */
export function resolution({ effectId, attempt, kind }: EffectState, posted: Posted): EntryData['EFFECT_RESOLVED'] {
  if (posted.status === 'error') {
    const { status, error, details, facts } = posted;
    const value = details || facts ? { value: { ...facts, ...(details && { error: details }) } } : {};
    return { effectId, attempt, status, error, ...value };
  }
  return { effectId, attempt, status: 'ok', value: answerOf(kind, posted.value, posted.facts) };
}

function answerOf(kind: string, value: JsonValue, facts: JsonObject | undefined): JsonValue {
  if (kind === 'task') return { ...facts, value };
  if (kind === 'child') return isObject(value) && 'output' in value ? value : { output: value };
  return value;
}
