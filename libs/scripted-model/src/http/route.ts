import type { ProtocolName } from '../protocols/index.ts';
import type { Address } from '../protocols/protocol.ts';

/** The scenario of a path without the prefix `/s/<scenario>`. */
export const DEFAULT_SCENARIO = 'write';

/** The scenario, protocol and action of a path. */
export interface Route {
  readonly scenario: string;
  readonly protocol: ProtocolName;
  readonly action: 'generate' | 'countTokens' | 'models' | 'unknown';
  readonly address: Address;
}

const PREFIX = /^\/s\/([^/]+)(\/.*)?$/;
const GEMINI = /\/models\/([^/:]+(?:\/[^/:]+)*):(generateContent|streamGenerateContent|countTokens)$/;

/** Clients use different prefixes (`/v1`, `/v1beta` or none), so only the end of the path selects the protocol. */
const ENDINGS: readonly (readonly [RegExp, ProtocolName, Route['action']])[] = [
  [/\/chat\/completions$/, 'chat', 'generate'],
  [/\/responses$/, 'responses', 'generate'],
  [/\/messages\/count_tokens$/, 'anthropic', 'countTokens'],
  [/\/messages$/, 'anthropic', 'generate'],
];

export function routeOf(method: string, path: string): Route {
  const [, name, after] = PREFIX.exec(path) ?? [];
  const scenario = name === undefined ? DEFAULT_SCENARIO : decoded(name);
  const rest = name === undefined ? path : (after ?? '/');

  const [, model, verb] = GEMINI.exec(rest) ?? [];
  if (model !== undefined) {
    const action = verb === 'countTokens' ? 'countTokens' : 'generate';
    const stream = verb === 'streamGenerateContent';
    return { scenario, protocol: 'gemini', action, address: { model: decoded(model), stream } };
  }
  if (method === 'GET' && /\/models(\/[^/]+)?$/.test(rest)) {
    return { scenario, protocol: rest.includes('v1beta') ? 'gemini' : 'chat', action: 'models', address: {} };
  }
  const [, protocol, action] = ENDINGS.find(([ending]) => method === 'POST' && ending.test(rest)) ?? [];
  return { scenario, protocol: protocol ?? 'chat', action: action ?? 'unknown', address: {} };
}

/** Decodes a path segment. Returns an invalid escape unchanged, which matches no scenario. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
