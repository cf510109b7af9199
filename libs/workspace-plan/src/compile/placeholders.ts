const OPEN = '{env:';
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * Whether a value holds an `{env:…}` that names no variable: most often a secret that was pasted in. Looks at every character once: a
 * value may be as long as its file.
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
