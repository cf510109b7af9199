import type { PathSegment } from '../yaml/node-positions.ts';

export type Mapping = Readonly<Record<string, unknown>>;

/** Whether the value is a YAML mapping. Lists, dates and binary values are objects too, but not mappings. */
export function isMapping(value: unknown): value is Mapping {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** The own property of a mapping. Inherited properties such as `constructor` are never returned. */
export function ownProperty(mapping: Mapping, key: string): unknown {
  return Object.hasOwn(mapping, key) ? mapping[key] : undefined;
}

/** The trimmed text, or undefined when the value is blank or not a string. */
export function text(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  return value.trim() || undefined;
}

export function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

/** The type of a value, in words for an error message. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (value instanceof Date) return 'a date';
  if (value instanceof Uint8Array) return 'binary data';
  if (typeof value === 'object') return 'a mapping';
  if (typeof value === 'string') return 'a string';
  if (typeof value === 'boolean') return 'true or false';
  return 'a number';
}

/** A record without a prototype, for names that authors choose. Keys that look like integers come first. */
export function record<T>(): Record<string, T> {
  return Object.create(null) as Record<string, T>;
}

export type Path = readonly PathSegment[];

export function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

/** Converts any value to text: nothing to an empty text, a collection by `String`. */
export function asText(value: unknown): string {
  try {
    return isAbsent(value) ? '' : String(value);
  } catch {
    return ''; // a mapping with keys such as `toString`
  }
}
