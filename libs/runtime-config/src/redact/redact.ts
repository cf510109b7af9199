import { isSecretKey } from './keys.ts';
import { isPlaceholder, REDACTED, redactUrls, type SecretFinder, secretFinder } from './text.ts';

/** What a redaction knows. */
export interface RedactionRules {
  /** Values that the system itself resolved; they are hidden wherever they stand. */
  readonly secrets?: Iterable<string>;
  /** Headers and variables whose configured values may be shown, in lower case. */
  readonly publicNames?: ReadonlySet<string>;
}

/** Maps whose values are the author's or the installation's and may hold anything: names are kept, values hidden. */
const CONFIGURED_MAPS = new Set(['headers', 'environment', 'default_headers', 'env']);
const URL_FIELD = /(^|_)url$/;

const PUBLIC_NAMES: ReadonlySet<string> = new Set([
  'accept',
  'content-type',
  'user-agent',
  'x-title',
  'x-workspace-id',
  'x-holaboss-workspace-id',
  'x-holaboss-session-id',
  'x-holaboss-input-id',
  'x-holaboss-run-id',
  'x-holaboss-sandbox-id',
  'x-holaboss-user-id',
]);

/**
 * A copy of a value without its secrets: known values wherever they stand, fields whose names say secret, configured headers and
 * variables, arguments after secret flags, userinfo and query values of URLs. Placeholders stay: they are names.
 */
export function redact<T>(value: T, rules: RedactionRules = {}): T {
  const walker: Walker = {
    find: secretFinder(rules.secrets ?? []),
    publicNames: rules.publicNames ?? PUBLIC_NAMES,
  };
  return walk(value, '', walker) as T;
}

interface Walker {
  readonly find: SecretFinder;
  readonly publicNames: ReadonlySet<string>;
}

function walk(value: unknown, key: string, walker: Walker): unknown {
  if (typeof value === 'string') return redactString(value, key, walker);
  if (typeof value !== 'object' || value === null) return value;
  if (isSecretKey(key)) return REDACTED;
  if (Array.isArray(value))
    return key === 'command' ? redactCommand(value, walker) : value.map((item) => walk(item, '', walker));
  const entries = Object.entries(value);
  if (CONFIGURED_MAPS.has(key))
    return Object.fromEntries(entries.map(([name, item]) => configured(name, item, walker)));
  return Object.fromEntries(entries.map(([name, item]) => [walker.find(name), walk(item, name, walker)]));
}

function redactString(text: string, key: string, walker: Walker): string {
  if (text === '' || isPlaceholder(text)) return text;
  if (isSecretKey(key)) return REDACTED;
  return redactUrls(walker.find(text), URL_FIELD.test(key) ? 'all' : 'secret-names');
}

function configured(name: string, value: unknown, walker: Walker): readonly [string, unknown] {
  const shown =
    typeof value !== 'string' || value === '' || isPlaceholder(value) || walker.publicNames.has(name.toLowerCase());
  return [walker.find(name), shown ? walk(value, name, walker) : REDACTED];
}

const SECRET_FLAG = /^-{1,2}([A-Za-z][\w-]*)$/;
const SECRET_ASSIGNMENT = /^(-{0,2}([A-Za-z][\w-]*)=)(.+)$/s;

/** Arguments of a command: `--token x`, `--token=x` and `TOKEN=x` lose their values. */
function redactCommand(tokens: readonly unknown[], walker: Walker): readonly unknown[] {
  let hideNext = false;
  return tokens.map((token) => {
    if (typeof token !== 'string') return walk(token, '', walker);
    const hide = hideNext && !isPlaceholder(token);
    hideNext = isSecretKey(SECRET_FLAG.exec(token)?.[1] ?? '');
    if (hide) return REDACTED;
    const assignment = SECRET_ASSIGNMENT.exec(token);
    const [, head, name, value] = assignment ?? [];
    if (head !== undefined && name !== undefined && isSecretKey(name) && !isPlaceholder(value ?? ''))
      return head + REDACTED;
    return redactString(token, '', walker);
  });
}
