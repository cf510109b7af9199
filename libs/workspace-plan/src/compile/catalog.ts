import type { CatalogTool } from '../plan.ts';
import { TOOL_MODULE_PATTERN } from '../schema/patterns.ts';
import { parseToolId } from './allowlist.ts';
import type { Scope } from './scope.ts';
import { WORKSPACE_SERVER } from './servers.ts';
import { isAbsent, isMapping, kindOf, type Mapping, ownProperty, type Path, record, text } from './values.ts';

const PATH: Path = ['mcp_registry', 'catalog'];
const MODULE = new RegExp(TOOL_MODULE_PATTERN);

/** Whether a `module_path` names a module in the tools folder. */
export const isToolModule = (path: string): boolean => MODULE.test(path);

/** The tools that the workspace defines itself, by tool id, in file order. */
export type Catalog = Readonly<Record<string, CatalogTool>>;

/** Reads `catalog`. Every entry is validated, but only `workspace.<tool>` entries become tools. */
export function readCatalog(scope: Scope, value: unknown): Catalog {
  const tools = record<CatalogTool>();
  if (isAbsent(value)) return tools;
  if (!isMapping(value)) {
    invalid(scope, PATH, 'catalog must be an object', `found ${kindOf(value)}; write a mapping of tool ids to entries`);
    return tools;
  }
  for (const [key, entry] of Object.entries(value)) {
    if (key.trim() === '') continue; // as existing workspaces expect
    const tool = readEntry(scope, key, entry);
    if (!tool) continue;
    if (tools[tool.tool_id])
      warn(scope, key, 'workspace_key_collision', `the tool '${tool.tool_id}' is declared twice`);
    tools[tool.tool_id] = tool;
  }
  return tools;
}

function readEntry(scope: Scope, key: string, entry: unknown): CatalogTool | undefined {
  const path = [...PATH, key];
  if (!isMapping(entry)) {
    invalid(scope, path, 'catalog entry must be an object', 'write a mapping with `module_path` and `symbol`');
    return undefined;
  }
  const module = field(
    scope,
    entry,
    path,
    'module_path',
    "set it to a module in the tools folder, for example 'tools.<name>'",
  );
  const symbol = field(scope, entry, path, 'symbol', 'set it to the function that the module exports');
  if (module !== undefined && !isToolModule(module)) {
    scope.report.strictError({
      code: 'workspace_mcp_catalog_entry_invalid',
      at: [...path, 'module_path'],
      message: "module_path must name a module in the tools folder: 'tools.<name>'",
    });
  }
  const ref = parseToolId(key.trim());
  if (ref?.server_id !== WORKSPACE_SERVER) {
    warn(
      scope,
      key,
      'workspace_value_ignored',
      `the catalog entry '${key}' is ignored: its id is not '${WORKSPACE_SERVER}.<tool>'`,
      `rename it to '${WORKSPACE_SERVER}.${toolNameIn(key)}'`,
    );
    return undefined;
  }
  if (!module || !symbol) return undefined;
  return { tool_id: ref.tool_id, tool_name: ref.tool_name, module_path: module, symbol_name: symbol };
}

function field(scope: Scope, entry: Mapping, path: Path, name: string, specificHint: string): string | undefined {
  const value = text(ownProperty(entry, name));
  if (value === undefined) invalid(scope, [...path, name], `catalog entry requires non-empty '${name}'`, specificHint);
  return value;
}

function invalid(scope: Scope, at: Path, message: string, specificHint: string): void {
  scope.report.error({ code: 'workspace_mcp_catalog_entry_invalid', at, message, specificHint });
}

function warn(
  scope: Scope,
  key: string,
  code: 'workspace_key_collision' | 'workspace_value_ignored',
  message: string,
  specificHint?: string,
): void {
  scope.report.warn({ code, at: [...PATH, key], pointsAtKey: true, message, specificHint });
}

/** The name of the tool in a catalog id without the server `workspace`. */
const toolNameIn = (key: string): string =>
  key
    .trim()
    .split('.')
    .at(-1)
    ?.replaceAll(/[^A-Za-z0-9_-]/g, '_') || '<tool>';
