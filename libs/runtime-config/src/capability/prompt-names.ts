import { isGated } from '../skills/policy.ts';
import { callablePrefix, type McpToolAlias, mcpCallableName } from './callable-names.ts';
import type { EvaluatedCapability } from './types.ts';

/** A server with its logical and physical id. */
export interface NamedServer {
  readonly logical: string;
  readonly physical: string;
}

/** What the names of tools in a prompt follow from. */
export interface ToolNames {
  readonly capabilities: readonly Pick<EvaluatedCapability, 'id' | 'callable_name'>[];
  readonly aliases: readonly McpToolAlias[];
  readonly servers: readonly NamedServer[];
}

/**
 * Returns the name under which the model is offered a tool, from its id as workspaces write it: the name of a built-in
 * tool, `server.tool`, or `server.*`. An id of no known tool is returned unchanged.
 */
export function offeredName(id: string, { capabilities, aliases, servers }: ToolNames): string {
  const known =
    aliases.find((alias) => alias.tool_id === id) ?? capabilities.find((capability) => capability.id === id);
  if (known) return known.callable_name;
  const server = servers.find(({ logical }) => id.startsWith(`${logical}.`));
  if (!server) return id;
  const tool = id.slice(server.logical.length + 1);
  return tool === '*' ? `${callablePrefix(server.physical)}*` : mcpCallableName(server.physical, tool);
}

/** Whether a tool of the executor is withheld because it is gated. A gated MCP tool is offered, and its calls fail. */
export function isWithheld({ id, kind }: EvaluatedCapability, gatedTools: readonly string[]): boolean {
  return kind !== 'mcp_tool' && isGated(id, gatedTools);
}
