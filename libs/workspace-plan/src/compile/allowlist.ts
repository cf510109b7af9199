import { catalogIds, declaredServers } from '../extensions/declared.ts';
import type { McpToolRef } from '../plan.ts';
import { TOOL_ID_PATTERN } from '../schema/patterns.ts';
import type { Scope } from './scope.ts';
import { WORKSPACE_SERVER } from './servers.ts';
import { isAbsent, kindOf, type Path, text } from './values.ts';

const TOOL_ID = new RegExp(TOOL_ID_PATTERN);
const PATH: Path = ['mcp_registry', 'allowlist', 'tool_ids'];

/** An allowlisted tool and its index in the list. */
export interface AllowedTool extends McpToolRef {
  readonly index: number;
}

/** Splits a tool id. Returns undefined for an invalid id. */
export function parseToolId(id: string): McpToolRef | undefined {
  const parts = TOOL_ID.exec(id);
  return parts ? { tool_id: id, server_id: parts[1] as string, tool_name: parts[2] as string } : undefined;
}

/** Reads `allowlist.tool_ids`. Absent, null and `[]` all mean that there is no allowlist. */
export function readAllowlist(scope: Scope, ids: unknown): readonly AllowedTool[] {
  if (isAbsent(ids)) return [];
  if (!Array.isArray(ids)) {
    invalid(scope, PATH, "expected list field 'tool_ids'", `found ${kindOf(ids)}; write \`tool_ids: [server.tool]\``);
    return [];
  }
  const seen = new Set<string>();
  const refs: AllowedTool[] = [];
  for (const [index, entry] of (ids as unknown[]).entries()) {
    const at = [...PATH, index];
    const id = text(entry);
    const ref = id === undefined ? undefined : parseToolId(id);
    if (id === undefined) invalid(scope, at, 'tool id must be a non-empty string', 'remove the entry, or quote it');
    else if (!ref) invalid(scope, at, `tool id '${id}' must match strict 'server.tool' format`, adviceFor(scope, id));
    else if (seen.has(id)) invalid(scope, at, `duplicate MCP tool id '${id}'`, 'remove one of the two');
    else {
      seen.add(id);
      refs.push({ ...ref, index });
    }
  }
  return refs;
}

export function allowlistPath(tool: AllowedTool): Path {
  return [...PATH, tool.index];
}

function adviceFor(scope: Scope, id: string): string {
  if (id.includes('*'))
    return 'patterns are not supported; omit the server from the allowlist to allow all of its tools';
  if (!id.includes('.')) return serverAdvice(scope, id);
  return 'use letters, digits, _ and -, with one dot between server and tool; tools with other names cannot be allowlisted';
}

/** Which server a tool without one may belong to. The ids of remote tools are not known here. */
function serverAdvice({ root }: Scope, tool: string): string {
  const ids = catalogIds(root);
  const servers = [...declaredServers(root)];
  if (ids.includes(tool) || ids.includes(`${WORKSPACE_SERVER}.${tool}`) || servers.length === 0)
    return `did you mean '${WORKSPACE_SERVER}.${tool}'?`;
  if (servers.length === 1) return `add the name of the server: '${servers[0]}.${tool}'`;
  return `add the name of the server, such as '${servers[0]}.${tool}'; the servers are: ${servers.join(', ')}`;
}

function invalid(scope: Scope, at: Path, message: string, specificHint: string): void {
  scope.report.error({ code: 'workspace_mcp_tool_id_invalid', at, message, specificHint });
}
