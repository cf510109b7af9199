const OPEN = '{env:';
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * Whether a value contains an `{env:…}` without a valid variable name. That is usually a pasted secret. Runs in linear
 * time, because a value can be as long as its file.
 */
export function hasMalformedPlaceholder(value: string): boolean {
  let at = value.indexOf(OPEN);
  while (at >= 0) {
    const end = value.indexOf('}', at);
    if (end < 0) return false;
    if (!NAME.test(value.slice(at + OPEN.length, end))) return true;
    at = value.indexOf(OPEN, end);
  }
  return false;
}
