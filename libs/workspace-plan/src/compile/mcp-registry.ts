import { readAllowlist } from './allowlist.ts';
import { readCatalog } from './catalog.ts';
import { type McpRegistry, resolveMcp } from './mcp-resolution.ts';
import type { Scope } from './scope.ts';
import { readServers } from './servers.ts';
import { isAbsent, isMapping, kindOf, ownProperty } from './values.ts';

/**
 * Reads `mcp_registry`: allowlist, servers and catalog. Each part is read as far as possible, then the parts are
 * combined.
 */
export function compileMcpRegistry(scope: Scope): McpRegistry | undefined {
  refuseToolRegistry(scope);
  const registry = ownProperty(scope.root, 'mcp_registry');
  if (!isMapping(registry)) {
    missing(scope, 'mcp_registry', registry);
    return undefined;
  }
  const allowlist = ownProperty(registry, 'allowlist');
  if (!isAbsent(allowlist) && !isMapping(allowlist)) missing(scope, 'mcp_registry.allowlist', allowlist);
  const refs = readAllowlist(scope, isMapping(allowlist) ? ownProperty(allowlist, 'tool_ids') : undefined);

  const declared = ownProperty(registry, 'servers');
  if (!isMapping(declared)) missing(scope, 'mcp_registry.servers', declared);
  const servers = isMapping(declared) ? readServers(scope, declared) : undefined;
  const catalog = readCatalog(scope, ownProperty(registry, 'catalog'));
  return servers && resolveMcp(scope, refs, servers, catalog);
}

function missing(scope: Scope, field: string, found: unknown): void {
  const example = field === 'mcp_registry' ? 'mcp_registry: {servers: {}}' : `${field.split('.').at(-1)}: {}`;
  scope.report.error({
    code: 'workspace_mcp_registry_missing',
    at: field.split('.'),
    pointsAtKey: true,
    message: `missing object field '${field}'`,
    specificHint: isAbsent(found) ? `add at least \`${example}\`` : `found ${kindOf(found)}; write a mapping`,
  });
}

/** The legacy system rejects this key only when it is a mapping. */
function refuseToolRegistry(scope: Scope): void {
  const value = ownProperty(scope.root, 'tool_registry');
  if (value === undefined) return;
  const finding = {
    code: 'workspace_tool_registry_unsupported',
    at: ['tool_registry'],
    pointsAtKey: true,
    message: 'tool_registry is no longer supported; use mcp_registry',
    specificHint: 'move the tools to mcp_registry.catalog and remove this key',
  } as const;
  if (value === null) scope.report.warn(finding);
  else if (isMapping(value)) scope.report.error(finding);
  else scope.report.strictError(finding);
}
