import { isMapping, type Path } from '../compile/values.ts';
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

/** Warns about every key that has no effect. Values without a shape are not checked. */
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
    else if (!known && !key.startsWith(CUSTOM_PREFIX)) warn(report, key, properties, [...path, key]);
  }
}

function matchesType(value: unknown, shape: Shape): boolean {
  return shape.type === 'object' ? isMapping(value) : shape.type === 'array' ? Array.isArray(value) : true;
}

function warn(report: Report, key: string, properties: Readonly<Record<string, Shape>>, at: Path): void {
  report.warn({
    code: 'workspace_key_unknown',
    at,
    pointsAtKey: true,
    message: `unknown key '${key}'; it has no effect`,
    specificHint: Object.hasOwn(OTHER_NAMES, key)
      ? `use '${OTHER_NAMES[key]}'`
      : didYouMean(
          key,
          () => Object.keys(properties),
          `remove it, or rename it to '${CUSTOM_PREFIX}${key}' to keep it`,
        ),
  });
}
