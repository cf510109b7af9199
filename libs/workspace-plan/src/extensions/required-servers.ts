import type { Scope } from '../compile/scope.ts';
import { WORKSPACE_SERVER } from '../compile/servers.ts';
import { didYouMean } from '../diagnostics/suggest.ts';
import { declaredServers } from './declared.ts';

/**
 * Reports required servers that a run never has, because they are not declared or are disabled. `resolved` are the
 * servers of a run; undefined when other errors prevent knowing them.
 */
export function checkRequiredServers(
  scope: Scope,
  required: readonly string[],
  resolved: ReadonlySet<string> | undefined,
): void {
  if (required.length === 0) return;
  const declared = declaredServers(scope.root);
  for (const [index, id] of required.entries()) {
    const at = ['required_servers', index];
    if (!declared.has(id)) {
      scope.report.strictError({
        code: 'workspace_mcp_server_unknown',
        at,
        message: `unknown server or application '${id}'`,
        specificHint: didYouMean(
          id,
          () => declared,
          id === WORKSPACE_SERVER
            ? 'add tools to mcp_registry.catalog; the workspace server does not exist without them'
            : 'declare it under mcp_registry.servers or applications, or remove it from the list',
        ),
      });
    } else if (resolved && !resolved.has(id)) {
      scope.report.strictError({
        code: 'workspace_mcp_server_disabled',
        at,
        message: `the required server '${id}' is never available: it is disabled, or none of its tools is allowlisted`,
        specificHint: 'enable it, or remove it from the list',
      });
    }
  }
}
