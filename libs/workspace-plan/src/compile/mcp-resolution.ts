import { didYouMean } from '../diagnostics/suggest.ts';
import type { CatalogTool, McpToolRef, ResolvedMcpServer, ServerPackage } from '../plan.ts';
import { type AllowedTool, allowlistPath } from './allowlist.ts';
import type { Catalog } from './catalog.ts';
import type { Scope } from './scope.ts';
import { type DeclaredServer, IMPLICIT_WORKSPACE_SERVER, type Servers, WORKSPACE_SERVER } from './servers.ts';
import { isMapping, ownProperty } from './values.ts';

/** The tools of a plan: the servers, the allowed tools, and the catalog. */
export interface McpRegistry {
  readonly servers: readonly ResolvedMcpServer[];
  readonly toolRefs: readonly McpToolRef[];
  readonly catalog: readonly CatalogTool[];
  /** The packages of `servers`, by server id. */
  readonly packages: Readonly<Record<string, ServerPackage>>;
  /** Those of `servers` that all requests of the workspace share. */
  readonly shared: readonly string[];
  readonly allowed: readonly AllowedTool[];
}

/** Combines allowlist, servers and catalog. */
export function resolveMcp(
  scope: Scope,
  allowed: readonly AllowedTool[],
  servers: Servers,
  catalog: Catalog,
): McpRegistry {
  checkServers(scope, allowed, servers);
  checkCatalog(scope, allowed, catalog);
  warnUnusedCatalog(scope, allowed, servers, catalog);
  const resolved = allowed.length > 0 ? withAllowlist(allowed, servers, catalog) : withoutAllowlist(servers, catalog);
  return {
    ...resolved,
    packages: packagesOf(resolved.servers, servers),
    shared: sharedOf(resolved.servers, servers),
    allowed,
  };
}

type Resolved = Omit<McpRegistry, 'packages' | 'shared' | 'allowed'>;

const sharedOf = (resolved: readonly ResolvedMcpServer[], servers: Servers): readonly string[] =>
  resolved.map(({ server_id }) => server_id).filter((id) => servers[id]?.isShared === true);

function packagesOf(resolved: readonly ResolvedMcpServer[], servers: Servers): McpRegistry['packages'] {
  return Object.fromEntries(
    resolved.flatMap(({ server_id: id }) => {
      const found = servers[id]?.package;
      return found === undefined ? [] : [[id, found]];
    }),
  );
}

const IMPLICIT: DeclaredServer = { type: 'local', enabled: true, config: IMPLICIT_WORKSPACE_SERVER };

function declaredServer(servers: Servers, id: string): DeclaredServer | undefined {
  const server = servers[id];
  return !server && id === WORKSPACE_SERVER ? IMPLICIT : server;
}

/**
 * Checks all entries before `checkCatalog` runs: an unknown server is reported before a missing catalog entry,
 * independent of their order.
 */
function checkServers(scope: Scope, allowed: readonly AllowedTool[], servers: Servers): void {
  const applications = applicationIds(scope);
  for (const tool of allowed) {
    const server = declaredServer(servers, tool.server_id);
    // An application is a server of its own.
    if (!server && applications.includes(tool.server_id)) continue;
    if (!server) {
      scope.report.error({
        code: 'workspace_mcp_server_unknown',
        at: allowlistPath(tool),
        message: `unknown MCP server '${tool.server_id}' for tool '${tool.tool_id}'`,
        legacyHint: 'add server config under mcp_registry.servers',
        specificHint: didYouMean(
          tool.server_id,
          () => [...Object.keys(servers), ...applications],
          undefined,
          (meant) => `${meant}.${tool.tool_name}`,
        ),
      });
    } else if (!server.enabled) {
      scope.report.error({
        code: 'workspace_mcp_server_disabled',
        at: allowlistPath(tool),
        message: `MCP server '${tool.server_id}' is disabled for tool '${tool.tool_id}'`,
        specificHint: 'enable the server, or remove its tools from the allowlist',
      });
    }
  }
}

/** The ids in `applications`, which are checked later. */
function applicationIds({ root }: Scope): readonly string[] {
  const list = ownProperty(root, 'applications');
  const entries = Array.isArray(list) ? (list as unknown[]).filter(isMapping) : [];
  return entries.map((entry) => ownProperty(entry, 'app_id')).filter((id) => typeof id === 'string');
}

function checkCatalog(scope: Scope, allowed: readonly AllowedTool[], catalog: Catalog): void {
  for (const tool of allowed) {
    if (tool.server_id !== WORKSPACE_SERVER || catalog[tool.tool_id]) continue;
    scope.report.error({
      code: 'workspace_mcp_catalog_missing',
      at: allowlistPath(tool),
      message: `workspace tool '${tool.tool_id}' is missing catalog entry in mcp_registry.catalog`,
      specificHint: didYouMean(
        tool.tool_id,
        () => Object.keys(catalog),
        'add the tool to mcp_registry.catalog with module_path and symbol',
      ),
    });
  }
}

/**
 * An allowlist without workspace tools disables the whole catalog. A server that is not in the allowlist keeps its
 * tools.
 */
function warnUnusedCatalog(scope: Scope, allowed: readonly AllowedTool[], servers: Servers, catalog: Catalog): void {
  const tools = Object.keys(catalog);
  if (tools.length === 0) return;
  const disabled = declaredServer(servers, WORKSPACE_SERVER)?.enabled === false;
  const unnamed = allowed.length > 0 && !allowed.some((tool) => tool.server_id === WORKSPACE_SERVER);
  if (!disabled && !unnamed) return;
  scope.report.warn({
    code: 'workspace_value_ignored',
    at: ['mcp_registry', 'catalog'],
    pointsAtKey: true,
    message: disabled
      ? "no catalog tool is available: the server 'workspace' is disabled"
      : 'no catalog tool is available: the allowlist contains none of them',
    specificHint: disabled ? 'enable the server' : `add '${tools[0]}' to mcp_registry.allowlist.tool_ids`,
  });
}

/**
 * The servers in the order that the allowlist first names them, followed by the servers whose tools are discovered.
 */
function withAllowlist(allowed: readonly AllowedTool[], servers: Servers, catalog: Catalog): Resolved {
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

/** All enabled servers. The workspace server comes last, and only when it has tools. */
function withoutAllowlist(servers: Servers, catalog: Catalog): Resolved {
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
