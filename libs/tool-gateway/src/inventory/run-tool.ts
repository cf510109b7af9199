import type { Tool } from '@modelcontextprotocol/client';
import type { JsonObject } from '@reins/contracts';
import {
  canonicalHash,
  type HostRequest,
  type Json,
  mcpToolAliases,
  mcpToolPolicy,
  type ToolPolicy,
} from '@reins/runtime-config';

/** A tool that the workspace author listed, with the physical id of its server. */
export type ToolRef = HostRequest['mcp_tool_refs'][number];

/** One tool that a run may call. */
export interface RunTool {
  /** `server.tool` with the logical id of the server, as in plans and policies. */
  readonly toolId: string;
  /** The physical id of the server. */
  readonly serverId: string;
  /** The name of the server in the workspace. */
  readonly serverName: string;
  /** The name of the tool on its server. */
  readonly toolName: string;
  /** The name for executors. */
  readonly callableName: string;
  readonly policy: ToolPolicy;
  readonly declaration: Tool;
}

/** The tools of one server of a run. */
export interface FoundTools {
  readonly serverId: string;
  readonly tools: readonly Tool[];
}

const MAX_DESCRIPTION = 4000;
const MAX_SCHEMA_BYTES = 64 * 1024;
const ANY_OBJECT = { type: 'object' } as const;

/**
 * Selects the tools of a run: only the referenced tools of a server that has references, all tools of any other server.
 * References get their names first and in order, so that the names match the capability manifest.
 */
export function runTools(
  found: readonly FoundTools[],
  refs: readonly ToolRef[],
  logicalIdOf: (serverId: string) => string,
): readonly RunTool[] {
  const named = new Set(refs.map((ref) => ref.server_id));
  const discovered = found.flatMap(({ serverId, tools }) =>
    named.has(serverId)
      ? []
      : tools.map(({ name }) => ({
          tool_id: `${logicalIdOf(serverId)}.${name}`,
          server_id: serverId,
          tool_name: name,
        })),
  );
  const declared = new Map(
    found.flatMap(({ serverId, tools }) => tools.map((tool) => [`${serverId}\n${tool.name}`, tool] as const)),
  );
  return mcpToolAliases([...refs, ...discovered]).flatMap((alias) => {
    const tool = declared.get(`${alias.server_id}\n${alias.tool_name}`);
    if (!tool) return [];
    return {
      toolId: alias.tool_id,
      serverId: alias.server_id,
      serverName: logicalIdOf(alias.server_id),
      toolName: alias.tool_name,
      callableName: alias.callable_name,
      policy: mcpToolPolicy(alias.tool_name, tool.annotations),
      declaration: declarationOf(tool, alias.callable_name),
    };
  });
}

/** A hash of the tools, equal for equal tools on every machine. */
export function toolsFingerprint(tools: readonly RunTool[]): string {
  return canonicalHash(
    tools.map(({ toolId, policy, declaration }) => ({
      toolId,
      policy,
      description: declaration.description ?? '',
      inputSchema: declaration.inputSchema as Json,
    })),
  );
}

/** The declaration of a tool for an executor, with size limits. Omits the output schema, which is not validated. */
function declarationOf({ description, inputSchema, annotations }: Tool, name: string): Tool {
  const fits = JSON.stringify(inputSchema).length <= MAX_SCHEMA_BYTES;
  return {
    name,
    ...(description !== undefined && { description: description.slice(0, MAX_DESCRIPTION) }),
    inputSchema: fits ? inputSchema : ANY_OBJECT,
    ...(annotations && { annotations }),
  };
}

export const schemaOf = ({ declaration }: RunTool): JsonObject => declaration.inputSchema as JsonObject;
