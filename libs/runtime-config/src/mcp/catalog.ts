import { sha256Hex } from '../canonical.ts';
import type { CatalogTool, McpPlan } from '../plan.ts';
import { WORKSPACE_SERVER_ID } from './server-ids.ts';

/**
 * A hash of the workspace's own tools. A running sidecar with the same fingerprint can be reused. The source code of
 * the tools is not included, because it is loaded again for each call.
 */
export function workspaceCatalogFingerprint(plan: McpPlan): string {
  const server = plan.resolved_mcp_servers.find((candidate) => candidate.server_id === WORKSPACE_SERVER_ID);
  return sha256Hex(
    JSON.stringify({
      catalog: plan.workspace_mcp_catalog.map(({ tool_id, module_path, symbol_name }) => ({
        tool_id,
        module_path,
        symbol_name,
      })),
      timeouts: server === undefined ? {} : { [WORKSPACE_SERVER_ID]: server.timeout_ms },
    }),
  );
}

/** The catalog in the form that a sidecar expects: base64 of a JSON array. */
export function encodeWorkspaceCatalog(catalog: readonly CatalogTool[]): string {
  const entries = catalog.map(({ tool_id, tool_name, module_path, symbol_name }) => ({
    tool_id,
    tool_name,
    module_path,
    symbol_name,
  }));
  return Buffer.from(JSON.stringify(entries), 'utf8').toString('base64');
}
