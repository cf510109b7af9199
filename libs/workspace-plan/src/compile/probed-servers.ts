import { didYouMean } from '../diagnostics/suggest.ts';
import { type AllowedTool, allowlistPath, parseToolId } from './allowlist.ts';
import type { ProbedServer } from './probed-server.ts';
import type { Scope } from './scope.ts';
import { isMapping, ownProperty, type Path } from './values.ts';

/** How many tools a message names. */
const MAX_LISTED = 20;

/**
 * Compares what the servers offered with the allowlist and with the gated tools.
 * @param reported the tools whose modules are reported already
 */
export function checkProbed(
  scope: Scope,
  { allowed, gated }: { readonly allowed: readonly AllowedTool[]; readonly gated: readonly string[] },
  probed: readonly ProbedServer[],
  reported: ReadonlySet<string>,
): void {
  const servers = new Map(probed.map((server) => [server.server_id, server]));
  for (const server of probed) {
    if (server.problem) reportProblem(scope, server.server_id, server.problem);
    for (const { tool_id, reason } of server.failed_tools ?? [])
      if (!reported.has(tool_id))
        report(scope, ['mcp_registry', 'catalog', tool_id], `the tool '${tool_id}' cannot be loaded: ${reason}`);
  }
  for (const tool of allowed) checkTool(scope, servers.get(tool.server_id), tool.tool_name, allowlistPath(tool));
  for (const [index, id] of gated.entries()) {
    const ref = parseToolId(id);
    if (ref) checkTool(scope, servers.get(ref.server_id), ref.tool_name, ['gated_tools', index]);
  }
}

function checkTool(scope: Scope, server: ProbedServer | undefined, name: string, at: Path): void {
  if (!server || server.problem || server.tools.includes(name)) return;
  const { server_id: id, tools, failed_tools: failed = [] } = server;
  if (failed.some(({ tool_id }) => tool_id === `${id}.${name}`)) return;
  const offered = tools.slice(0, MAX_LISTED).join(', ') || 'no tools';
  const more = tools.length > MAX_LISTED ? ` and ${tools.length - MAX_LISTED} more` : '';
  scope.report.strictError({
    code: 'workspace_mcp_tool_unknown',
    at,
    message: `the server '${id}' has no tool '${name}'; it offers: ${offered}${more}`,
    specificHint: didYouMean(
      name,
      () => tools,
      undefined,
      (meant) => `${id}.${meant}`,
    ),
  });
}

function reportProblem(scope: Scope, id: string, { message, hint }: NonNullable<ProbedServer['problem']>): void {
  report(scope, pathOf(scope, id), `'${id}' does not start: ${message}`, hint);
}

function report(scope: Scope, at: Path, message: string, specificHint?: string): void {
  scope.report.strictError({ code: 'workspace_mcp_server_failed', at, pointsAtKey: true, message, specificHint });
}

/** Where a server or an application is declared. */
function pathOf({ root }: Scope, id: string): Path {
  const registry = ownProperty(root, 'mcp_registry');
  const servers = isMapping(registry) ? ownProperty(registry, 'servers') : undefined;
  const key = isMapping(servers) ? Object.keys(servers).findLast((name) => name.trim() === id) : undefined;
  if (key !== undefined) return ['mcp_registry', 'servers', key];
  const applications = ownProperty(root, 'applications');
  const index = Array.isArray(applications)
    ? applications.findIndex((entry: unknown) => isMapping(entry) && ownProperty(entry, 'app_id') === id)
    : -1;
  return index < 0 ? ['mcp_registry', 'catalog'] : ['applications', index];
}
