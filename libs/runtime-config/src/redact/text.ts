import { isSecretKey } from './keys.ts';

/** The replacement of a secret. */
export const REDACTED = '[redacted]';

const ONLY_PLACEHOLDERS = /^(?:(?:Bearer|Basic|Token) )?(?:\{(?:env|setting|host):[A-Za-z0-9_.-]+\})+$/i;

/** Whether a text consists of placeholders and contains no secret: `{env:NAME}`, `Bearer {env:NAME}`. */
export function isPlaceholder(text: string): boolean {
  return ONLY_PLACEHOLDERS.test(text.trim());
}

/** Redacts known secret values in a text. */
export type SecretFinder = (text: string) => string;

/** Shorter values are too common in ordinary text to be redacted everywhere. */
const SHORTEST_SECRET = 4;

/** Returns a function that redacts every known value, including its forms in URLs, JSON and basic authentication. */
export function secretFinder(values: Iterable<string>): SecretFinder {
  const forms = new Set<string>();
  for (const value of values) {
    if (value.length < SHORTEST_SECRET) continue;
    forms.add(value);
    forms.add(encodeURIComponent(value.toWellFormed()));
    forms.add(JSON.stringify(value).slice(1, -1));
    forms.add(Buffer.from(value, 'utf8').toString('base64'));
  }
  if (forms.size === 0) return (text) => text;
  // Longest first, because one value may be part of another.
  const ordered = [...forms].sort((a, b) => b.length - a.length).map(literal);
  const pattern = new RegExp(ordered.join('|'), 'g');
  return (text) => text.replace(pattern, REDACTED);
}

/** Escapes a text for use in a regular expression. */
function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

const URL_LIKE = /\b[a-z][a-z0-9+.-]*:\/\/[^\s"'<>`]+/gi;
const USERINFO = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#\s]*)@/i;

/** Which query values of a URL are redacted: all of them (configuration), or those with secret names (prose). */
export type QueryRule = 'all' | 'secret-names';

/** The parts of a URL that can be redacted. */
export type UrlPart = 'userinfo' | 'query';

/** Returns the replacement of a part of a URL. `name` is the name of a query parameter. */
export type UrlPartReplacer = (value: string, name: string, at: UrlPart) => string;

const hidden: UrlPartReplacer = () => REDACTED;

/** Redacts userinfo and query values of every URL in a text. */
export function redactUrls(text: string, rule: QueryRule, hide = hidden): string {
  if (!text.includes('://')) return text;
  return text.replace(URL_LIKE, (url) => redactQuery(redactUserinfo(url, hide), rule, hide));
}

function redactUserinfo(url: string, hide: UrlPartReplacer): string {
  return url.replace(USERINFO, (_, scheme: string, userinfo: string) => `${scheme}${hide(userinfo, '', 'userinfo')}@`);
}

function redactQuery(url: string, rule: QueryRule, hide: UrlPartReplacer): string {
  const start = url.indexOf('?');
  if (start < 0) return url;
  const end = url.indexOf('#', start);
  const query = url.slice(start + 1, end < 0 ? undefined : end);
  const pairs = query.split('&').map((pair) => redactPair(pair, rule, hide));
  return `${url.slice(0, start + 1)}${pairs.join('&')}${end < 0 ? '' : url.slice(end)}`;
}

function redactPair(pair: string, rule: QueryRule, hide: UrlPartReplacer): string {
  const equals = pair.indexOf('=');
  if (equals < 0) return pair;
  const name = pair.slice(0, equals);
  const value = pair.slice(equals + 1);
  const secret = rule === 'all' || isSecretParameter(name);
  return secret && value !== '' && !isPlaceholder(value) ? `${name}=${hide(value, name, 'query')}` : pair;
}

/** In a query, `key`, `sig` and `code` alone also indicate a secret. */
export function isSecretParameter(name: string): boolean {
  return isSecretKey(name) || /^(key|sig|code)$/i.test(name);
}
