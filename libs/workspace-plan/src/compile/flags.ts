const YES = new Set(['true', 'yes', 'on', 'y', '1']);
const NO = new Set(['false', 'no', 'off', 'n', '0']);

/** What a text or a number evidently means as a yes or no; undefined when nobody can know. */
export function parseFlag(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const word = String(value).trim().toLowerCase();
  if (YES.has(word)) return true;
  return NO.has(word) ? false : undefined;
}
