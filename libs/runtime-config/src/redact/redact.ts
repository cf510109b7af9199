import { isShared, markShared } from '../json-bytes.ts';
import { isSecretKey } from './keys.ts';
import {
  isPlaceholder,
  type QueryRule,
  REDACTED,
  redactUrls,
  type SecretFinder,
  secretFinder,
  type UrlPart,
} from './text.ts';

/** The options of a redaction. */
export interface RedactionRules {
  /** Known secret values, which are redacted everywhere. The list must be immutable. */
  readonly secrets?: readonly string[];
  /** Headers and variables whose configured values are public, in lower case. */
  readonly publicNames?: ReadonlySet<string>;
}

/** Maps with values of the author or the installation, which may be secret: names are kept, values are redacted. */
const CONFIGURED_MAPS = new Set(['headers', 'environment', 'default_headers', 'env']);
/** JSON Schemas: their members are named after fields, but do not contain the values of these fields. */
const SCHEMA_FIELD = 'schema';
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
 * Returns a copy of a value without secrets: known values anywhere, fields with secret names, configured headers and
 * variables, arguments after secret flags, and userinfo and query values of URLs. Placeholders are kept.
 */
export function redact<T>(value: T, rules: RedactionRules = {}): T {
  return walk(value, '', walkerOf(rules)) as T;
}

/** The kind of location at which a value is redacted. */
export type RedactionKind = 'field' | 'configured' | 'argument' | UrlPart;

/**
 * Called for a value that is redacted because of its location. The value is a text, or everything below a secret name.
 */
export type RedactionVisitor = (value: unknown, name: string, at: RedactionKind) => void;

/**
 * Calls `visit` for every value that `redact` removes because of its location, with the name of the field, header, flag
 * or parameter.
 */
export function forEachRedaction(value: unknown, visit: RedactionVisitor): void {
  const hide = (hidden: unknown, name: string, at: RedactionKind): string => {
    visit(hidden, name, at);
    return REDACTED;
  };
  walk(value, '', newWalker({}, hide));
}

interface Walker {
  readonly find: SecretFinder;
  /** Returns the replacement of a redacted value. */
  readonly hide: (value: unknown, name: string, at: RedactionKind) => string;
  readonly publicNames: ReadonlySet<string>;
  /** Redacted copies of shared values (`markShared`), with the name of the field in which each was found. */
  readonly copies: WeakMap<object, { readonly key: string; readonly copy: unknown }>;
  readonly texts: Map<string, { readonly key: string; readonly copy: string }>;
}

const MAX_TEXTS = 256;
const NO_SECRETS: readonly string[] = [];
const walkers = new WeakMap<readonly string[], Walker>();

/** Returns the walker for a list of secrets. It is created once per list. */
function walkerOf({ secrets = NO_SECRETS, publicNames }: RedactionRules): Walker {
  const known = publicNames === undefined ? walkers.get(secrets) : undefined;
  if (known !== undefined) return known;
  const walker = newWalker({ secrets, publicNames: publicNames ?? PUBLIC_NAMES }, () => REDACTED);
  if (publicNames === undefined) walkers.set(secrets, walker);
  return walker;
}

function newWalker(rules: RedactionRules, hide: Walker['hide']): Walker {
  const { secrets = NO_SECRETS, publicNames = PUBLIC_NAMES } = rules;
  return { find: secretFinder(secrets), hide, publicNames, copies: new WeakMap(), texts: new Map() };
}

function walk(value: unknown, key: string, walker: Walker): unknown {
  if (typeof value === 'string')
    return isShared(value) ? redactSharedText(value, key, walker) : redactString(value, key, walker);
  if (typeof value !== 'object' || value === null) return value;
  return isShared(value) ? walkSharedObject(value, key, walker) : walkObject(value, key, walker);
}

function redactSharedText(value: string, key: string, walker: Walker): string {
  const { texts } = walker;
  const known = texts.get(value);
  if (known?.key === key) return known.copy;
  const copy = markShared(redactString(value, key, walker));
  if (texts.size >= MAX_TEXTS) texts.clear();
  texts.set(value, { key, copy });
  return copy;
}

function walkSharedObject(value: object, key: string, walker: Walker): unknown {
  const known = walker.copies.get(value);
  if (known?.key === key) return known.copy;
  const copy = walkObject(value, key, walker);
  if (typeof copy === 'object' && copy !== null) markShared(copy);
  walker.copies.set(value, { key, copy });
  return copy;
}

function walkObject(value: object, key: string, walker: Walker): unknown {
  if (isSecretKey(key)) return walker.hide(value, key, 'field');
  if (key === SCHEMA_FIELD) return redactKnownValues(value, walker);
  if (Array.isArray(value)) {
    return key === 'command' ? redactCommand(value, walker) : value.map((item) => walk(item, '', walker));
  }
  const member = CONFIGURED_MAPS.has(key) ? redactConfigured : walk;
  return mapMembers(value, walker, (name, item) => member(item, name, walker));
}

function redactKnownValues(value: unknown, walker: Walker): unknown {
  if (typeof value === 'string') return walker.find(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => redactKnownValues(item, walker));
  return mapMembers(value, walker, (_name, item) => redactKnownValues(item, walker));
}

/** Returns a copy with all members mapped. Known values are redacted in member names too. */
function mapMembers(value: object, walker: Walker, map: (name: string, item: unknown) => unknown): unknown {
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [walker.find(name), map(name, item)]));
}

function redactString(text: string, key: string, walker: Walker): string {
  if (text === '' || isPlaceholder(text)) return text;
  if (isSecretKey(key)) return walker.hide(text, key, 'field');
  return redactUrls(walker.find(text), queryRuleOf(key), walker.hide);
}

function redactConfigured(value: unknown, name: string, walker: Walker): unknown {
  const isPublic =
    typeof value !== 'string' || value === '' || isPlaceholder(value) || walker.publicNames.has(name.toLowerCase());
  return isPublic ? walk(value, name, walker) : walker.hide(value, name, 'configured');
}

/** The query rule for URLs in the value of a field. */
export function queryRuleOf(key: string): QueryRule {
  return URL_FIELD.test(key) ? 'all' : 'secret-names';
}

const SECRET_FLAG = /^-{1,2}([A-Za-z][\w-]*)$/;
const SECRET_ASSIGNMENT = /^(-{0,2}([A-Za-z][\w-]*)=)(.+)$/s;

/** Redacts the values of secret arguments: `--token x`, `--token=x` and `TOKEN=x`. */
function redactCommand(tokens: readonly unknown[], walker: Walker): readonly unknown[] {
  let flag = '';
  return tokens.map((token) => {
    if (typeof token !== 'string') return walk(token, '', walker);
    const before = flag;
    flag = SECRET_FLAG.exec(token)?.[1] ?? '';
    return isSecretKey(before) && !isPlaceholder(token)
      ? walker.hide(token, before, 'argument')
      : redactArgument(token, walker);
  });
}

function redactArgument(token: string, walker: Walker): string {
  const [, head = '', name = '', value = ''] = SECRET_ASSIGNMENT.exec(token) ?? [];
  return isSecretKey(name) && !isPlaceholder(value)
    ? head + walker.hide(value, name, 'argument')
    : redactString(token, '', walker);
}
