import type { WorkspaceToolsSpec } from '@reins/runtime-config';

/** One tool of a workspace's catalog. */
export interface CatalogEntry {
  readonly tool_id: string;
  readonly tool_name: string;
  readonly module_path: string;
  readonly symbol_name: string;
}

/** Decodes the catalog of a host request. */
export function catalogOf({ catalog_json_base64 }: WorkspaceToolsSpec): readonly CatalogEntry[] {
  return JSON.parse(Buffer.from(catalog_json_base64, 'base64').toString('utf8')) as readonly CatalogEntry[];
}
