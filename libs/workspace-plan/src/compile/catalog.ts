import type { CatalogTool } from '../plan.ts';
import { parseToolId } from './allowlist.ts';
import type { Scope } from './scope.ts';
import { isAbsent, isMapping, type Mapping, own, type Path, record, text } from './values.ts';

const PATH: Path = ['mcp_registry', 'catalog'];

/** The tools that the workspace brings itself, by tool id, in the order of the file. */
export type Catalog = Readonly<Record<string, CatalogTool>>;

/**
 * Reads `catalog`. Every entry is validated, those whose ids belong to no workspace tool included; only `workspace.<tool>`
 * entries are tools.
 */
export function readCatalog(scope: Scope, value: unknown): Catalog {
  const tools = record<CatalogTool>();
  if (isAbsent(value)) return tools;
  if (!isMapping(value)) {
    invalid(scope, PATH, 'catalog must be an object');
    return tools;
  }
  for (const [key, entry] of Object.entries(value)) {
    const path = [...PATH, key];
    if (!isMapping(entry)) {
      invalid(scope, path, 'catalog entry must be an object');
      continue;
    }
    const module = field(scope, entry, path, 'module_path');
    const symbol = field(scope, entry, path, 'symbol');
    const ref = parseToolId(key.trim());
    if (!module || !symbol || ref?.server_id !== 'workspace') continue;
    tools[ref.tool_id] = {
      tool_id: ref.tool_id,
      tool_name: ref.tool_name,
      module_path: module,
      symbol_name: symbol,
    };
  }
  return tools;
}

function field(scope: Scope, entry: Mapping, path: Path, name: string): string | undefined {
  const value = text(own(entry, name));
  if (value === undefined) invalid(scope, [...path, name], `catalog entry requires non-empty '${name}'`);
  return value;
}

function invalid(scope: Scope, path: Path, message: string): void {
  scope.report.error({ code: 'workspace_mcp_catalog_entry_invalid', at: { path }, message });
}
