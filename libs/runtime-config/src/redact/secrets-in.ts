import { isSecretKey } from './keys.ts';
import { forEachRedaction, queryRuleOf, type RedactionKind } from './redact.ts';
import { isSecretParameter, redactUrls } from './text.ts';

/** What is shorter is too common a word to be hidden wherever it stands. */
export const SHORTEST_LITERAL = 6;

const PLACEHOLDER = /\{(?:env|setting|host):/;
/** One word or number: `production`, `100000`. */
const PLAIN = /^(?:[a-z]+|\d+)$/i;
const SCHEME = /^(?:bearer|basic|token|bot|api-?key)\s+/i;
const BASIC = /^basic\s+/i;

/**
 * The secrets that stand in a configuration as they are: values under secret names (fields, headers, variables, flags), and userinfo and
 * query values of URLs. `redact` hides them at their own place; given to it as `secrets`, they are hidden wherever else they stand.
 * Ordinary headers and variables, placeholders and what is shorter than `SHORTEST_LITERAL` are not among them.
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

/** A value with its scheme and without, as in `Bearer <token>`; of basic authentication the password too. */
function credentialsIn(value: string): readonly string[] {
  const bare = value.trim().replace(SCHEME, '');
  const basic = BASIC.test(value.trim()) ? userinfoSecrets(Buffer.from(bare, 'base64').toString('utf8')) : [];
  return [bare, ...basic, ...urlSecrets(value, '')];
}

/** A user is no secret beside a password; alone it is a token. */
function userinfoSecrets(userinfo: string): readonly string[] {
  const secret = userinfo.slice(userinfo.indexOf(':') + 1);
  return [secret, decoded(secret)];
}

/** A header or variable with an ordinary name may still hold a URL with a password. */
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
