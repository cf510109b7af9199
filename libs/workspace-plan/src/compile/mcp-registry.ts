import type { CatalogTool, McpToolRef, ResolvedMcpServer } from '../plan.ts';
import { readAllowlist } from './allowlist.ts';
import { readCatalog } from './catalog.ts';
import { resolveMcp } from './mcp-resolution.ts';
import type { Scope } from './scope.ts';
import { readServers } from './servers.ts';
import { isAbsent, isMapping, own } from './values.ts';

export interface McpRegistry {
  readonly servers: readonly ResolvedMcpServer[];
  readonly toolRefs: readonly McpToolRef[];
  readonly catalog: readonly CatalogTool[];
}

/** Reads `mcp_registry`: allowlist, servers and catalog, each as far as it can be read, then how they fit together. */
export function compileMcpRegistry(scope: Scope): McpRegistry | undefined {
  if (own(scope.root, 'tool_registry') !== undefined) refuseToolRegistry(scope, own(scope.root, 'tool_registry'));
  const registry = own(scope.root, 'mcp_registry');
  if (!isMapping(registry)) {
    missing(scope, 'mcp_registry');
    return undefined;
  }
  const allowlist = own(registry, 'allowlist');
  if (!isAbsent(allowlist) && !isMapping(allowlist)) missing(scope, 'mcp_registry.allowlist');
  const refs = readAllowlist(scope, isMapping(allowlist) ? own(allowlist, 'tool_ids') : undefined);

  const declared = own(registry, 'servers');
  if (!isMapping(declared)) missing(scope, 'mcp_registry.servers');
  const servers = isMapping(declared) ? readServers(scope, declared) : undefined;
  const catalog = readCatalog(scope, own(registry, 'catalog'));
  if (!servers) return undefined;
  return resolveMcp(scope, refs, servers, catalog);
}

function missing(scope: Scope, field: string): void {
  scope.report.error({
    code: 'workspace_mcp_registry_missing',
    at: { path: field.split('.'), key: true },
    message: `missing object field '${field}'`,
  });
}

/** Only a mapping is refused everywhere; as anything else the key was overlooked. */
function refuseToolRegistry(scope: Scope, value: unknown): void {
  if (value === null) {
    scope.report.warn({
      code: 'workspace_value_ignored',
      at: { path: ['tool_registry'], key: true },
      message: 'tool_registry is no longer supported; remove it',
    });
    return;
  }
  const note = {
    code: 'workspace_tool_registry_unsupported',
    at: { path: ['tool_registry'], key: true },
    message: 'tool_registry is no longer supported; use mcp_registry',
  } as const;
  if (isMapping(value)) scope.report.error(note);
  else scope.report.stricter(note);
}
