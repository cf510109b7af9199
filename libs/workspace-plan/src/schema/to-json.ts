import { isMapping } from '../compile/values.ts';

/** Copying is recursive, so its depth limit is lower than the limit for reading. */
const MAX_DEPTH = 200;

/**
 * Returns a copy in plain JSON, or undefined for values without a JSON form: binary data, infinity, cycles, excessive
 * depth.
 */
export function toJson(value: unknown): unknown {
  return copyOf(value, new Set());
}

/** `within` contains the collections around the value. */
function copyOf(value: unknown, within: Set<object>): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.toISOString();
  if (typeof value !== 'object' || within.has(value) || within.size === MAX_DEPTH) return undefined;
  within.add(value);
  const copy = Array.isArray(value) ? listOf(value as unknown[], within) : mappingOf(value, within);
  within.delete(value);
  return copy;
}

function listOf(values: readonly unknown[], within: Set<object>): unknown {
  const items = values.map((item) => copyOf(item, within));
  return items.includes(undefined) ? undefined : items;
}

function mappingOf(value: object, within: Set<object>): unknown {
  if (!isMapping(value)) return undefined;
  const copy: Record<string, unknown> = {};
  for (const [key, entry] of Object.entries(value)) {
    const json = copyOf(entry, within);
    if (json === undefined) return undefined;
    Object.defineProperty(copy, key, { value: json, enumerable: true, writable: true, configurable: true });
  }
  return copy;
}
