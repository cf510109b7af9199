import { isSecretKey } from './keys.ts';
import { forEachRedaction, queryRuleOf, type RedactionKind } from './redact.ts';
import { isSecretParameter, redactUrls } from './text.ts';

/** Shorter values are too common to be redacted everywhere. */
export const SHORTEST_LITERAL = 6;

const PLACEHOLDER = /\{(?:env|setting|host):/;
/** A single word or number: `production`, `100000`. */
const PLAIN = /^(?:[a-z]+|\d+)$/i;
const SCHEME = /^(?:bearer|basic|token|bot|api-?key)\s+/i;
const BASIC = /^basic\s+/i;

/**
 * Returns the literal secrets of a configuration: values under secret names (fields, headers, variables, flags), and
 * userinfo and query values of URLs. `redact` removes them at their own location; passed to it as `secrets`, they are
 * removed everywhere. Ordinary headers and variables, placeholders and values shorter than `SHORTEST_LITERAL` are not
 * included.
 */
export function secretsIn(configuration: unknown): readonly string[] {
  const found = new Set<string>();
  const add = (...texts: readonly string[]): void => {
    for (const text of texts) if (text.length >= SHORTEST_LITERAL && !PLACEHOLDER.test(text)) found.add(text);
  };
  forEachRedaction(configuration, (value, name, at) => add(...literalsOf(value, name, at)));
  return [...found];
}

function literalsOf(value: unknown, name: string, at: RedactionKind): readonly string[] {
  if (typeof value !== 'string') return textsIn(value).filter((text) => !PLAIN.test(text));
  switch (at) {
    case 'userinfo':
      return userinfoSecrets(value);
    case 'query':
      return isSecretParameter(name) || !PLAIN.test(value) ? [value, decoded(value.replaceAll('+', ' '))] : [];
    case 'configured':
      return isSecretKey(name) ? credentialsIn(value) : urlSecrets(value, name);
    default:
      return credentialsIn(value);
  }
}

/** A value without its scheme, as in `Bearer <token>`. For basic authentication, also the password. */
function credentialsIn(value: string): readonly string[] {
  const bare = value.trim().replace(SCHEME, '');
  const basic = BASIC.test(value.trim()) ? userinfoSecrets(Buffer.from(bare, 'base64').toString('utf8')) : [];
  return [bare, ...basic, ...urlSecrets(value, '')];
}

/** The password, or the user when there is no password, which is then a token. */
function userinfoSecrets(userinfo: string): readonly string[] {
  const secret = userinfo.slice(userinfo.indexOf(':') + 1);
  return [secret, decoded(secret)];
}

/** A header or variable with an ordinary name may contain a URL with a password. */
function urlSecrets(text: string, name: string): readonly string[] {
  const found: string[] = [];
  redactUrls(text, queryRuleOf(name.toLowerCase()), (value, parameter, at) => {
    found.push(...literalsOf(value, parameter, at));
    return '';
  });
  return found;
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
