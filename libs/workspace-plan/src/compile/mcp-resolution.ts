import type { CatalogTool, McpToolRef, ResolvedMcpServer } from '../plan.ts';
import { type AllowedTool, allowlistPath } from './allowlist.ts';
import type { Catalog } from './catalog.ts';
import type { McpRegistry } from './mcp-registry.ts';
import type { Scope } from './scope.ts';
import { type DeclaredServer, IMPLICIT_WORKSPACE_SERVER, type Servers, WORKSPACE_SERVER } from './servers.ts';

/** Puts allowlist, servers and catalog together. */
export function resolveMcp(
  scope: Scope,
  allowed: readonly AllowedTool[],
  servers: Servers,
  catalog: Catalog,
): McpRegistry {
  checkServers(scope, allowed, servers);
  checkCatalog(scope, allowed, catalog);
  return allowed.length > 0 ? constrained(allowed, servers, catalog) : unconstrained(servers, catalog);
}

function declaredServer(servers: Servers, id: string): DeclaredServer | undefined {
  const server = servers[id];
  return !server && id === WORKSPACE_SERVER ? { enabled: true, config: IMPLICIT_WORKSPACE_SERVER } : server;
}

/** Over all entries first: an unknown server is told before a missing catalog entry, wherever each stands. */
function checkServers(scope: Scope, allowed: readonly AllowedTool[], servers: Servers): void {
  for (const tool of allowed) {
    const server = declaredServer(servers, tool.server_id);
    if (!server) {
      scope.report.error({
        code: 'workspace_mcp_server_unknown',
        at: { path: allowlistPath(tool) },
        message: `unknown MCP server '${tool.server_id}' for tool '${tool.tool_id}'`,
        hint: 'add server config under mcp_registry.servers',
      });
    } else if (!server.enabled) {
      scope.report.error({
        code: 'workspace_mcp_server_disabled',
        at: { path: allowlistPath(tool) },
        message: `MCP server '${tool.server_id}' is disabled for tool '${tool.tool_id}'`,
      });
    }
  }
}

function checkCatalog(scope: Scope, allowed: readonly AllowedTool[], catalog: Catalog): void {
  for (const tool of allowed) {
    if (tool.server_id !== WORKSPACE_SERVER || catalog[tool.tool_id]) continue;
    scope.report.error({
      code: 'workspace_mcp_catalog_missing',
      at: { path: allowlistPath(tool) },
      message: `workspace tool '${tool.tool_id}' is missing catalog entry in mcp_registry.catalog`,
    });
  }
}

/** Servers in the order in which the allowlist first names them, then the others, whose tools are discovered. */
function constrained(allowed: readonly AllowedTool[], servers: Servers, catalog: Catalog): McpRegistry {
  const named = new Set(allowed.map((tool) => tool.server_id));
  const resolved: ResolvedMcpServer[] = [];
  for (const id of named) {
    const config = declaredServer(servers, id)?.config;
    if (config) resolved.push(config);
  }
  for (const server of discovered(servers)) if (!named.has(server.server_id)) resolved.push(server);
  const toolRefs = allowed.map(({ tool_id, server_id, tool_name }): McpToolRef => ({ tool_id, server_id, tool_name }));
  const tools = allowed.map((tool) => catalog[tool.tool_id]).filter((tool): tool is CatalogTool => tool !== undefined);
  return { servers: resolved, toolRefs, catalog: tools };
}

/** Every server that is switched on; the workspace's own comes last, and only when it has tools. */
function unconstrained(servers: Servers, catalog: Catalog): McpRegistry {
  const workspace = declaredServer(servers, WORKSPACE_SERVER);
  const tools = workspace?.enabled ? Object.values(catalog) : [];
  return {
    servers: [...discovered(servers), ...(tools.length > 0 && workspace?.config ? [workspace.config] : [])],
    toolRefs: [],
    catalog: tools,
  };
}

function discovered(servers: Servers): ResolvedMcpServer[] {
  return Object.values(servers).flatMap(({ enabled, config }) =>
    enabled && config && config.server_id !== WORKSPACE_SERVER ? [config] : [],
  );
}
