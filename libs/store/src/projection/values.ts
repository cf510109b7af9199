import type { ErrorInfo, JsonValue } from '@reins/contracts';

/** Converts a time to millisecond precision; null if it is missing or invalid. */
export function timestamp(text: string | undefined): string | null {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}

export function errorJson(error: ErrorInfo): JsonValue {
  return { ...error };
}
