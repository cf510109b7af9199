const MAX_LENGTH = 200;
const MASK = '***';

/** A key that indicates a secret value. */
const SECRET_NAME = /(key|token|secret|passw|authorization|credential|cookie)/i;
const PAIR = /^(\s*(?:-\s+)?(?:"[^"]*"|'[^']*'|[^\s:#][^:#]*?)\s*:\s+)(\S.*)$/;
const PLACEHOLDER = /^["']?\{env:[A-Za-z_][A-Za-z0-9_]*\}["']?\s*(#.*)?$/;
/** Common formats of keys and tokens, which are masked everywhere. */
const KNOWN_SECRET = /\b(?:sk|pk|rk|gh[opsu]|github_pat|glpat|xox[a-z]|AKIA|AIza|ya29|eyJ)[-_.A-Za-z0-9]{8,}/g;
/** `scheme://user:password@host` */
const USER_INFO = /(\/\/)[^\s/@]+@/g;

/**
 * The source line for display: without control characters, truncated, and with masked secrets. A placeholder that only
 * names a variable is not masked.
 */
export function maskedLine(line: string, secret: boolean): string {
  const masked = withoutControls(line).replace(USER_INFO, `$1${MASK}@`).replace(KNOWN_SECRET, MASK);
  const pair = PAIR.exec(masked);
  if (pair) {
    const [, head = '', value = ''] = pair;
    if ((secret || SECRET_NAME.test(head)) && !PLACEHOLDER.test(value)) return cut(`${head}${MASK}`);
  } else if (secret) return MASK;
  return cut(masked);
}

function cut(line: string): string {
  return line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH)}…` : line;
}

function withoutControls(line: string): string {
  let text = '';
  for (const c of line.slice(0, MAX_LENGTH + 1)) text += c < ' ' && c !== '\t' ? '\u{fffd}' : c;
  return text;
}
