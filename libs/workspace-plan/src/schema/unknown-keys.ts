import { nearest } from '@reins/contracts';
import { isMapping, type Mapping, type Path } from '../compile/values.ts';
import type { Report } from '../diagnostics/report.ts';
import { didYouMean } from '../diagnostics/suggest.ts';
import type { Shape } from './shape.ts';

/** The prefix of custom keys, which are allowed at every level, for example for anchors and notes. */
const CUSTOM_PREFIX = 'x-';

/** Common names of other formats → our names. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  mcpServers: 'mcp_registry.servers',
  mcp_servers: 'mcp_registry.servers',
  args: 'command',
  env: 'environment',
  npx: 'npm',
  uvx: 'pypi',
  pip: 'pypi',
};

/** What a misspelt key of this name would silently permit. */
const RESTRICTING: Readonly<Record<string, string>> = {
  allowlist: 'every tool would be allowed',
  tool_ids: 'every tool would be allowed',
  gated_tools: 'no tool would be gated',
  required_servers: 'runs would continue without their servers',
  integrity: 'a package with any hash would be used',
  budgets: 'nothing would be limited',
  max_tokens: 'nothing would be limited',
  max_cost_usd: 'nothing would be limited',
  max_duration_s: 'nothing would be limited',
  max_tool_calls: 'nothing would be limited',
};

/**
 * Warns about every key that has no effect. A key that was probably meant to restrict something is an error. Values
 * without a shape are not checked.
 */
export function warnUnknownKeys(report: Report, value: unknown, shape: Shape): void {
  walk(report, value, shape, []);
}

function walk(report: Report, value: unknown, shape: Shape, path: Path): void {
  if (shape.anyOf) {
    const matching = shape.anyOf.find((each) => matchesType(value, each));
    if (matching) walk(report, value, matching, path);
    return;
  }
  if (Array.isArray(value) && shape.items) {
    const { items } = shape;
    for (const [index, item] of (value as unknown[]).entries()) walk(report, item, items, [...path, index]);
  }
  if (!isMapping(value) || shape.type !== 'object' || shape.additionalProperties === true) return;
  const { properties = {}, additionalProperties } = shape;
  for (const [key, entry] of Object.entries(value)) {
    const known = Object.hasOwn(properties, key) ? properties[key] : additionalProperties;
    if (known && typeof entry === 'object') walk(report, entry, known, [...path, key]);
    else if (!known && !key.startsWith(CUSTOM_PREFIX)) reportKey(report, key, value, properties, [...path, key]);
  }
}

function matchesType(value: unknown, shape: Shape): boolean {
  return shape.type === 'object' ? isMapping(value) : shape.type === 'array' ? Array.isArray(value) : true;
}

function reportKey(
  report: Report,
  key: string,
  holder: Mapping,
  properties: Readonly<Record<string, Shape>>,
  at: Path,
): void {
  const known = Object.keys(properties);
  const finding = {
    code: 'workspace_key_unknown',
    at,
    pointsAtKey: true,
    message: `unknown key '${key}'; it has no effect`,
    specificHint: Object.hasOwn(OTHER_NAMES, key)
      ? `use '${OTHER_NAMES[key]}'`
      : didYouMean(key, () => known, `remove it, or rename it to '${CUSTOM_PREFIX}${key}' to keep it`),
  } as const;
  const permitted = permittedBy(key, holder, known);
  if (permitted === undefined) report.warn(finding);
  else report.strictError({ ...finding, message: `unknown key '${key}': ${permitted}` });
}

/** What the misspelling of a restricting key permits; undefined when no such key was meant. */
function permittedBy(key: string, holder: Mapping, known: readonly string[]): string | undefined {
  const [only] = known;
  const meant = known.length === 1 ? only : nearest(key, known);
  if (meant === undefined || Object.hasOwn(holder, meant)) return undefined;
  return Object.hasOwn(RESTRICTING, meant) ? RESTRICTING[meant] : undefined;
}
