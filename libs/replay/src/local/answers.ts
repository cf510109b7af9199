import { type EntryData, type ErrorInfo, type JsonObject, type JsonValue } from '@reins/contracts';
import { type EffectState, effectKind } from '@reins/journal';

/** A result that was posted for an effect. */
export type PostedResult =
  | { readonly status: 'ok'; readonly value: JsonValue; readonly facts?: JsonObject }
  | { readonly status: 'error'; readonly error: ErrorInfo; readonly details?: JsonObject; readonly facts?: JsonObject };

/**
 * The entry for a posted result. Its value has the fields of the kind's completed fact. For a task, these include where
 * its output is stored (`facts`).
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
  const { completedValue } = effectKind(kind);
  return completedValue ? completedValue(value, facts) : value;
}
