import { isMapping } from '../compile/values.ts';

const MAX_DEPTH = 100;

/** A copy in plain JSON; undefined where the value has no such form: binary data, infinity, a cycle. */
export function toJson(value: unknown, depth = 0): unknown {
  if (depth > MAX_DEPTH) return undefined;
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.toISOString();
  if (Array.isArray(value)) {
    const items = (value as unknown[]).map((item) => toJson(item, depth + 1));
    return items.includes(undefined) ? undefined : items;
  }
  if (!isMapping(value)) return undefined;
  const copy: Record<string, unknown> = {};
  for (const [key, entry] of Object.entries(value)) {
    const json = toJson(entry, depth + 1);
    if (json === undefined) return undefined;
    Object.defineProperty(copy, key, { value: json, enumerable: true, writable: true, configurable: true });
  }
  return copy;
}
