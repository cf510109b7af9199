import type { JsonValue } from '@reins/contracts';

/** What `jsonb` and `text` cannot hold, as `JSON.stringify` writes it: NUL and lone surrogates. */
const UNSTORABLE = /\\u(0000|d[89a-f][0-9a-f]{2})/;

/** The JSON text of a value, fit for Postgres: characters that it cannot hold become U+FFFD. */
export function jsonText(value: JsonValue): string {
  const text = JSON.stringify(value);
  return UNSTORABLE.test(text) ? JSON.stringify(value, (_key, part: unknown) => cleaned(part)) : text;
}

/** A text fit for Postgres. */
export function storableText(text: string): string {
  return text.replaceAll('\0', '\uFFFD').toWellFormed();
}

function cleaned(part: unknown): unknown {
  if (typeof part === 'string') return storableText(part);
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [storableText(key), value]));
}
