import { isMapping, type Path } from '../compile/values.ts';
import type { Report } from '../diagnostics/report.ts';
import { didYouMean } from '../diagnostics/suggest.ts';
import type { Shape } from './shape.ts';

/** Keys that begin so are the author's own, at every level: anchors are kept there, and notes. */
const OWN_PREFIX = 'x-';

/** Names that the same thing has elsewhere. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  mcpServers: 'mcp_registry.servers',
  mcp_servers: 'mcp_registry.servers',
  args: 'command',
  env: 'environment',
};

/** Warns about every key that has no meaning where it stands. Goes only as deep as the shape does. */
export function warnUnknownKeys(report: Report, value: unknown, shape: Shape): void {
  walk(report, value, shape, []);
}

function walk(report: Report, value: unknown, shape: Shape, path: Path): void {
  if (shape.anyOf) {
    const fitting = shape.anyOf.find((each) => fits(value, each));
    if (fitting) walk(report, value, fitting, path);
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
    if (known) walk(report, entry, known, [...path, key]);
    else if (!key.startsWith(OWN_PREFIX)) warn(report, key, properties, [...path, key]);
  }
}

function fits(value: unknown, shape: Shape): boolean {
  return shape.type === 'object' ? isMapping(value) : shape.type === 'array' ? Array.isArray(value) : true;
}

function warn(report: Report, key: string, properties: Readonly<Record<string, Shape>>, at: Path): void {
  report.warn({
    code: 'workspace_key_unknown',
    at,
    key: true,
    message: `unknown key '${key}'; it has no effect`,
    advice: Object.hasOwn(ELSEWHERE, key)
      ? `here this is called '${ELSEWHERE[key]}'`
      : didYouMean(
          key,
          () => Object.keys(properties),
          `remove it, or name it '${OWN_PREFIX}${key}' to keep it as a note`,
        ),
  });
}
