const MAX_LENGTH = 200;
const MASK = '***';

/** A key that indicates a secret value. */
const SECRET_NAME = /(key|token|secret|passw|authorization|credential|cookie)/i;
const PAIR = /^(\s*(?:-\s+)?(?:"[^"]*"|'[^']*'|(?!-\s)[^\s:#{[][^:#{[]*?)\s*:\s+)(\S.*)$/;
/** A pair of a flow mapping, such as `key: abc` in `{key: abc, id: x}`. */
const FLOW_PAIR = /((?:"[^"]*"|'[^']*'|[^\s:,{}[\]"'#][^:,{}[\]]*?)\s*:\s+)("[^"]*"|'[^']*'|[^,{}[\]\s][^,{}[\]]*)/g;
/** A value that is not a secret. The diagnostic may be about it, so its reader has to see it. */
const HARMLESS =
  /^(?:-?\d{1,3}(?:\.\d+)?|true|false|yes|no|on|off|null|~|""|''|\{\s*\}|\[\s*\]|[|>][+-]?)\s*(?:#.*)?$/i;
/** A limit on tokens, which are not secrets, and its number, also a mistyped one, such as `"400000"` or `12abc`. */
const LIMIT_NAME = /\bmax_(?:\w+_)?tokens["']?\s*:\s+$/;
const NUMBER = /^["']?[-+]?\d[\w.]{0,11}["']?\s*(?:#.*)?$/;
const PLACEHOLDER = /^["']?\{env:[A-Za-z_][A-Za-z0-9_]*\}["']?\s*(#.*)?$/;
/** Common formats of keys and tokens, which are masked everywhere. */
const KNOWN_SECRET = /\b(?:sk|pk|rk|gh[opsu]|github_pat|glpat|xox[a-z]|AKIA|AIza|ya29|eyJ)[-_.A-Za-z0-9]{8,}/g;
const CONTROL = /\p{Cc}/u;
/** `scheme://user:password@host` */
const USER_INFO = /(\/\/)[^\s/@]+@/g;

/**
 * The source line for display: without control characters, truncated, and with masked secrets. Only the value that may be
 * a secret is masked. A placeholder that only names a variable is not, nor a value that cannot be a secret.
 */
export function maskedLine(line: string, secret: boolean): string {
  const masked = withoutControls(line).replace(USER_INFO, `$1${MASK}@`).replace(KNOWN_SECRET, MASK);
  const pair = PAIR.exec(masked);
  if (pair) return cut(maskedPair(pair, secret));
  const flow = masked.replace(FLOW_PAIR, (_, head: string, value: string) => head + maskedValue(head, value, secret));
  return secret && flow === masked && !/[{[]\s*$/.test(masked) ? MASK : cut(flow);
}

/** A block pair. A flow mapping as its value has pairs of its own. */
function maskedPair([, head = '', value = '']: RegExpExecArray, secret: boolean): string {
  if (secret || SECRET_NAME.test(head)) return head + maskedValue(head, value, true);
  return head + value.replace(FLOW_PAIR, (_, name: string, inner: string) => name + maskedValue(name, inner, false));
}

const maskedValue = (head: string, value: string, secret: boolean): string =>
  (secret || SECRET_NAME.test(head)) &&
  !PLACEHOLDER.test(value) &&
  !HARMLESS.test(value) &&
  !(LIMIT_NAME.test(head) && NUMBER.test(value))
    ? MASK
    : value;

function cut(line: string): string {
  return line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH)}…` : line;
}

function withoutControls(line: string): string {
  const start = line.slice(0, MAX_LENGTH + 1);
  if (!CONTROL.test(start)) return start;
  let text = '';
  for (const c of start) text += c < ' ' && c !== '\t' ? '\u{fffd}' : c;
  return text;
}
