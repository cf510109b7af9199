import type { JsonValue } from '@reins/contracts';

/** Removes the fields that are null. */
export function withoutNulls<T extends Record<string, JsonValue>>(fields: T): { [K in keyof T]?: Exclude<T[K], null> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as {
    [K in keyof T]?: Exclude<T[K], null>;
  };
}
