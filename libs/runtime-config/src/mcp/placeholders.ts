import type { Problem } from '@reins/contracts';

/** A part of a value with `{env:NAME}` placeholders: literal text, or the name of a variable. */
export type ValuePart = string | { readonly env: string };

/** The result of parsing a configured value. */
export type ParsedValue =
  | { readonly kind: 'literal' }
  | { readonly kind: 'template'; readonly parts: readonly ValuePart[] }
  | { readonly kind: 'invalid'; readonly shown: string };

/** The location of a value in the plan, for error messages. */
export interface ValueLocation {
  readonly serverId: string;
  readonly map: 'headers' | 'environment';
  readonly key: string;
}

const OPEN = '{env:';
const PLACEHOLDER = /\{env:([A-Za-z_][A-Za-z0-9_]*)\}/y;
const HINT = `Name an environment variable, as in '{env:CONTEXT7_API_KEY}', or write the value itself.`;

/**
 * Parses a header or environment value. A value that starts with `{env:` and ends with `}` is a single placeholder, and
 * spaces around it are ignored. Placeholders may also be part of a longer value. Anything that resembles a placeholder
 * but is not valid is an error. It is probably a pasted secret, so it is masked.
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

/** Masks everything between the braces, which may be a secret. */
function masked(placeholder: string): string {
  return placeholder === '{env:}' ? placeholder : '{env:…}';
}

/** The names of the variables that a value refers to. */
export function environmentNames(value: string): readonly string[] {
  const parsed = parseValue(value);
  return parsed.kind === 'template' ? parsed.parts.flatMap((part) => (typeof part === 'string' ? [] : [part.env])) : [];
}

/** The text of a template, with every variable name replaced by `valueFor`. */
export function fillTemplate(parts: readonly ValuePart[], valueFor: (name: string) => string): string {
  return parts.map((part) => (typeof part === 'string' ? part : valueFor(part.env))).join('');
}

/** The problem for a malformed placeholder. */
export function invalidPlaceholder(location: ValueLocation, shown: string): Problem {
  return {
    code: 'mcp_placeholder_invalid',
    message: `invalid MCP env placeholder '${shown}' for '${location.key}'; use '{env:ENV_VAR_NAME}' or provide a literal value`,
    path: locationPath(location),
    hint: HINT,
  };
}

/** The problem for a placeholder whose variable does not exist. */
export function missingVariable(location: ValueLocation, name: string): Problem {
  return {
    code: 'mcp_environment_missing',
    message: `environment variable '${name}' is required by MCP config for '${location.key}'`,
    path: locationPath(location),
    hint: `Set ${name} where Reins runs and name it in the setting host.secrets, or remove the placeholder.`,
  };
}

function locationPath(location: ValueLocation): string {
  return `mcp_registry.servers.${location.serverId}.${location.map}.${location.key}`;
}
