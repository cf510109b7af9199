const TRUE_WORDS = new Set(['true', 'yes', 'on', 'y', '1']);
const FALSE_WORDS = new Set(['false', 'no', 'off', 'n', '0']);

/** Converts a text or number with an unambiguous meaning to a boolean; undefined for anything else. */
export function parseFlag(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const word = String(value).trim().toLowerCase();
  if (TRUE_WORDS.has(word)) return true;
  return FALSE_WORDS.has(word) ? false : undefined;
}
