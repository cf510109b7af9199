import type { PathSegment } from '../yaml/trace-path.ts';

export type Mapping = Readonly<Record<string, unknown>>;

/** A mapping of the document. Lists, dates and binary values are objects too, and are none. */
export function isMapping(value: unknown): value is Mapping {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** A key's own value: a name such as `constructor` never finds what every object inherits. */
export function own(mapping: Mapping, key: string): unknown {
  return Object.hasOwn(mapping, key) ? mapping[key] : undefined;
}

/** The trimmed text of a non-blank string. */
export function text(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  return value.trim() || undefined;
}

export function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

/** What kind of value stands there, in an author's words. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (value instanceof Date) return 'a date';
  if (value instanceof Uint8Array) return 'binary data';
  if (typeof value === 'object') return 'a mapping';
  if (typeof value === 'string') return 'text';
  if (typeof value === 'boolean') return 'true or false';
  return 'a number';
}

/** A record without inherited members, for names that authors choose. Keys that look like integers come first. */
export function record<T>(): Record<string, T> {
  return Object.create(null) as Record<string, T>;
}

export type Path = readonly PathSegment[];

export function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

/** A value as text, whatever it is: that of nothing is empty, that of a collection is what the language makes of it. */
export function asText(value: unknown): string {
  try {
    return isAbsent(value) ? '' : String(value);
  } catch {
    return ''; // a mapping with keys such as `toString`
  }
}
