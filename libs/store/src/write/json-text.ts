import type { JsonValue } from '@reins/contracts';

/** Characters that `jsonb` and `text` cannot store, as written by `JSON.stringify`: NUL and lone surrogates. */
const UNSTORABLE = /\\u(0000|d[89a-f][0-9a-f]{2})/;

/** Writes a value as JSON for Postgres. Characters that it cannot store become U+FFFD. */
export function jsonText(value: JsonValue): string {
  const text = JSON.stringify(value);
  return UNSTORABLE.test(text) ? JSON.stringify(value, (_key, part: unknown) => cleaned(part)) : text;
}

/** Replaces the characters in a text that Postgres cannot store. */
export function storableText(text: string): string {
  return text.replaceAll('\0', '\uFFFD').toWellFormed();
}

function cleaned(part: unknown): unknown {
  if (typeof part === 'string') return storableText(part);
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [storableText(key), value]));
}
