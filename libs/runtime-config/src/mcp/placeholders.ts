import type { Problem } from '@reins/contracts';

/** A value with its `{env:NAME}` placeholders taken apart: literal text and names, in order. */
export type ValuePart = string | { readonly env: string };

/** How a configured value reads. */
export type ParsedValue =
  | { readonly kind: 'literal' }
  | { readonly kind: 'template'; readonly parts: readonly ValuePart[] }
  | { readonly kind: 'invalid'; readonly shown: string };

/** Where a value stands in the plan; every problem names it. */
export interface ValueSite {
  readonly serverId: string;
  readonly map: 'headers' | 'environment';
  readonly key: string;
}

const OPEN = '{env:';
const PLACEHOLDER = /\{env:([A-Za-z_][A-Za-z0-9_]*)\}/y;
const HINT = `name an environment variable, as in '{env:CONTEXT7_API_KEY}', or write the value itself`;

/**
 * Reads a header or environment value. A value that opens with `{env:` and closes with `}` is one placeholder (spaces around it
 * are tolerated); placeholders may also stand inside of a longer value. Whatever looks like a placeholder and is not one is
 * invalid: it is most likely a secret that was pasted into the braces, so it is never shown.
 */
export function parseValue(value: string): ParsedValue {
  if (!value.includes(OPEN)) return { kind: 'literal' };
  const trimmed = value.trim();
  if (trimmed.startsWith(OPEN) && trimmed.endsWith('}')) {
    const name = matchAt(trimmed, 0);
    return name !== undefined && trimmed.length === OPEN.length + name.length + 1
      ? { kind: 'template', parts: [{ env: name }] }
      : { kind: 'invalid', shown: masked(trimmed) };
  }
  return parseEmbedded(value);
}

function parseEmbedded(value: string): ParsedValue {
  const parts: ValuePart[] = [];
  let from = 0;
  for (let at = value.indexOf(OPEN); at >= 0; at = value.indexOf(OPEN, from)) {
    const name = value[at - 1] === '$' ? undefined : matchAt(value, at);
    if (name === undefined) return { kind: 'invalid', shown: '{env:…}' };
    if (at > from) parts.push(value.slice(from, at));
    parts.push({ env: name });
    from = at + OPEN.length + name.length + 1;
  }
  if (from < value.length) parts.push(value.slice(from));
  return { kind: 'template', parts };
}

function matchAt(text: string, at: number): string | undefined {
  PLACEHOLDER.lastIndex = at;
  return PLACEHOLDER.exec(text)?.[1];
}

/** An empty placeholder has nothing to hide; anything else between the braces may be a secret. */
function masked(placeholder: string): string {
  return placeholder === '{env:}' ? placeholder : '{env:…}';
}

/** The names that a value asks for. */
export function environmentNames(value: string): readonly string[] {
  const parsed = parseValue(value);
  return parsed.kind === 'template' ? parsed.parts.flatMap((part) => (typeof part === 'string' ? [] : [part.env])) : [];
}

/** The text of a template with every name replaced by what `valueFor` gives for it. */
export function fillTemplate(parts: readonly ValuePart[], valueFor: (name: string) => string): string {
  return parts.map((part) => (typeof part === 'string' ? part : valueFor(part.env))).join('');
}

/** The problem of a value whose placeholder has a wrong shape. */
export function invalidPlaceholder(site: ValueSite, shown: string): Problem {
  return {
    code: 'mcp_placeholder_invalid',
    message: `invalid MCP env placeholder '${shown}' for '${site.key}'; use '{env:ENV_VAR_NAME}' or provide a literal value`,
    path: sitePath(site),
    hint: HINT,
  };
}

/** The problem of a placeholder whose variable does not exist. */
export function missingVariable(site: ValueSite, name: string): Problem {
  return {
    code: 'mcp_environment_missing',
    message: `environment variable '${name}' is required by MCP config for '${site.key}'`,
    path: sitePath(site),
    hint: `set ${name} where Reins runs and name it in the setting host.secrets, or remove the placeholder`,
  };
}

function sitePath(site: ValueSite): string {
  return `mcp_registry.servers.${site.serverId}.${site.map}.${site.key}`;
}
