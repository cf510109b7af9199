import { type EntryData, type ErrorInfo, isObject, type JsonObject, type JsonValue } from '@reins/contracts';
import type { EffectState } from '@reins/journal';

/** A result that was posted for an effect. */
export type PostedResult =
  | { readonly status: 'ok'; readonly value: JsonValue; readonly facts?: JsonObject }
  | { readonly status: 'error'; readonly error: ErrorInfo; readonly details?: JsonObject; readonly facts?: JsonObject };

/**
 * The entry for a posted result. A task's value gets the fields of its fact, such as where its output is stored
 * (`facts`). For a child run the posted value is its output. For other kinds it is used as it is.
 */
export function resolution(
  { effectId, attempt, kind }: EffectState,
  posted: PostedResult,
): EntryData['EFFECT_RESOLVED'] {
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
