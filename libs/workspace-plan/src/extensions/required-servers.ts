import type { Scope } from '../compile/scope.ts';
import { WORKSPACE_SERVER } from '../compile/servers.ts';
import { didYouMean } from '../diagnostics/suggest.ts';
import { declaredServers } from './declared.ts';

/**
 * Tells of servers that a run must not go on without and never has: nobody declares them, or they are switched off.
 * `resolved` are those that a run has, undefined where that is not known because of other errors.
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
      scope.report.stricter({
        code: 'workspace_mcp_server_unknown',
        at,
        message: `unknown server or application '${id}'`,
        advice: didYouMean(
          id,
          () => declared,
          id === WORKSPACE_SERVER
            ? 'mcp_registry.catalog has no tools, so there is no server for them'
            : 'declare it under mcp_registry.servers or applications, or remove it here',
        ),
      });
    } else if (resolved && !resolved.has(id)) {
      scope.report.stricter({
        code: 'workspace_mcp_server_disabled',
        at,
        message: `a run must not go on without '${id}', and never has it: it is disabled, or none of its tools is allowlisted`,
        advice: 'enable it, or remove it here',
      });
    }
  }
}
