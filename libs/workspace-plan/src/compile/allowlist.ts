import type { McpToolRef } from '../plan.ts';
import type { Scope } from './scope.ts';
import { isAbsent, type Path, text } from './values.ts';

/** `server.tool`, exactly one dot, no pattern. */
export const TOOL_ID = /^([A-Za-z0-9][A-Za-z0-9_-]*)\.([A-Za-z0-9][A-Za-z0-9_-]*)$/;

const PATH: Path = ['mcp_registry', 'allowlist', 'tool_ids'];

/** An allowlisted tool and where it stands in the list. */
export interface AllowedTool extends McpToolRef {
  readonly index: number;
}

/** Splits a tool id; undefined when it is none. */
export function parseToolId(id: string): McpToolRef | undefined {
  const parts = TOOL_ID.exec(id);
  return parts ? { tool_id: id, server_id: parts[1] as string, tool_name: parts[2] as string } : undefined;
}

/** Reads `allowlist.tool_ids`. Absent, null and `[]` all mean that nothing is constrained. */
export function readAllowlist(scope: Scope, ids: unknown): readonly AllowedTool[] {
  if (isAbsent(ids)) return [];
  if (!Array.isArray(ids)) {
    invalid(scope, PATH, "expected list field 'tool_ids'");
    return [];
  }
  const seen = new Set<string>();
  const refs: AllowedTool[] = [];
  for (const [index, entry] of (ids as unknown[]).entries()) {
    const path = [...PATH, index];
    const id = text(entry);
    const ref = id === undefined ? undefined : parseToolId(id);
    if (id === undefined) invalid(scope, path, 'tool id must be a non-empty string');
    else if (!ref) invalid(scope, path, `tool id '${id}' must match strict 'server.tool' format`);
    else if (seen.has(id)) invalid(scope, path, `duplicate MCP tool id '${id}'`);
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

function invalid(scope: Scope, path: Path, message: string): void {
  scope.report.error({ code: 'workspace_mcp_tool_id_invalid', at: { path }, message });
}
