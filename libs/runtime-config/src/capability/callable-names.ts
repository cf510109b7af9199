import type { McpToolRef } from '../plan.ts';

/** An MCP tool with its tool id and its callable name. */
export interface McpToolAlias {
  readonly tool_id: string;
  /** The physical server id. */
  readonly server_id: string;
  readonly tool_name: string;
  readonly callable_name: string;
}

/**
 * The name under which an executor calls an MCP tool: `mcp__<server>__<tool>`, in lower-case letters, digits and `_`.
 */
export function mcpCallableName(serverId: string, toolName: string): string {
  return `${callablePrefix(serverId)}${part(toolName)}`;
}

/** The start of the callable names of all tools of a server. */
export function callablePrefix(serverId: string): string {
  return `mcp__${part(serverId)}__`;
}

function part(name: string): string {
  return (
    name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '_')
      .replace(/^_+|_+$/g, '') || 'tool'
  );
}

/**
 * Returns callable names for tool references with physical server ids. A name that is already used gets a suffix `_2`,
 * `_3` …
 */
export function mcpToolAliases(refs: readonly McpToolRef[]): readonly McpToolAlias[] {
  const taken = new Set<string>();
  return refs.map((ref) => {
    const wanted = mcpCallableName(ref.server_id, ref.tool_name);
    let name = wanted;
    for (let next = 2; taken.has(name); next += 1) name = `${wanted}_${next}`;
    taken.add(name);
    return { ...ref, callable_name: name };
  });
}
