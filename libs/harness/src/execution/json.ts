import type { JsonObject, JsonValue } from '@reins/contracts';

/** Readers for untrusted JSON. A value of another type reads as an empty value. */
export const objectOf = (value: unknown): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
export const listOf = (value: JsonValue | undefined): readonly JsonValue[] =>
  Array.isArray(value) ? (value as readonly JsonValue[]) : [];
export const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');
export const numberOf = (value: JsonValue | undefined): number => (typeof value === 'number' ? value : 0);

/** Parses a line. Returns undefined if it is not a JSON object. */
export function parseObject(line: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}
